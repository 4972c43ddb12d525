import CassetteKit
import Codecs
import HTTPCore
import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

// What sanitizing costs, in CPU time of this process. Run it as `swift run -c release sanitizing-benchmark`; in a debug build
// the figures mean nothing.

/// Seconds of CPU since the process began.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func measured(_ work: () throws -> Void) rethrows -> Double {
    let start = processorTime()
    try work()
    return processorTime() - start
}

func report(_ label: String, _ seconds: Double, _ note: String) {
    print("\(label): \(Int((seconds * 1_000).rounded())) ms of CPU, \(note)")
}

/// A number drawn from a counter, the same in every run.
struct Draw {
    var state: UInt64 = 7
    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
    mutating func text(_ count: Int, _ alphabet: [UInt8]) -> String {
        String(decoding: (0..<count).map { _ in alphabet[next(alphabet.count)] }, as: UTF8.self)
    }
}

let hexadecimal = Array("0123456789abcdef".utf8)
let encoded = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Bodies of so many octets and more.
func bodies(_ size: Int) -> [(String, [UInt8])] {
    var draw = Draw()
    func repeated(_ open: String, _ close: String, _ element: (inout Draw) -> String) -> [UInt8] {
        var octets = Array(open.utf8)
        while octets.count < size { octets += Array((element(&draw) + ",").utf8) }
        octets.removeLast()
        return octets + Array(close.utf8)
    }
    return [
        (
            "records",
            repeated("[", "]") {
                #"{"id":\#($0.next(1 << 30)),"uuid":"\#($0.text(8, hexadecimal))-\#($0.text(4, hexadecimal))-4abc-9def-\#($0.text(12, hexadecimal))","name":"Item \#($0.next(1000))","createdAt":"2026-11-30T10:00:00Z","price":\#($0.next(1000)).50,"tags":["a","b"],"url":"https://cdn.example.com/\#($0.text(20, hexadecimal)).jpg?w=200","owner":{"id":\#($0.next(1000)),"login":"user\#($0.next(1000))"}}"#
            }
        ),
        (
            "records with secrets",
            repeated("[", "]") {
                #"{"id":\#($0.next(1 << 30)),"access_token":"\#($0.text(32, hexadecimal))","note":"mail ada\#($0.next(1000))@corp.io"}"#
            }
        ),
        ("numbers", repeated("[", "]") { "\($0.next(1 << 30)).\($0.next(1000))" }),
        ("base64 images", repeated("[", "]") { #"{"image":"data:image/png;base64,\#($0.text(60_000, encoded))"}"# }),
        (
            "prose",
            repeated("[", "]") { _ in
                #"{"text":"The token is required: please type it, then go on with \"the rest\" of the words.\n"}"#
            }
        ),
    ]
}

let codecs = ContentCodecs(
    decode: { coding, octets in ContentCoding(token: coding).flatMap { try? decodeContent(octets, $0) } },
    encode: { coding, octets in ContentCoding(token: coding).flatMap { try? encodeContent(octets, $0) } })

let sanitizer = Sanitizer(rules: SanitizerRules(literals: ["a-literal-secret", "another/secret+1"]), codecs: codecs)
let request = RawRequest(
    method: "GET", scheme: "https", authority: Authority(host: "a.test"), target: Array("/items".utf8),
    fields: Fields([("Authorization", "Bearer a-token-of-the-client")]))

func answer(_ body: [UInt8], _ fields: [(String, String)] = []) -> RawResponse {
    RawResponse(
        status: 200, reason: Array("OK".utf8), fields: Fields([("Content-Type", "application/json")] + fields),
        framing: .length(body.count), body: body)
}

for (label, body) in bodies(10 << 20) {
    let ledger = SecretLedger()
    _ = sanitizer.request(request, ledger: ledger)
    var hidden = 0
    let seconds = measured {
        let clean = sanitizer.response(
            answer(body), to: request, stem: "get-items.5f0c1a", ordinal: 1, ledger: ledger)
        hidden = clean.hidden.reduce(0) { $0 + $1.count }
    }
    report("10 MiB of JSON, \(label)", seconds, "\(hidden) values hidden; the bound is 500 ms")
}

// Every answer hands out a new secret, for which all that was written is looked at again.
let folder = "/tmp/sanitizing-benchmark-\(getpid())"
let fsync = try FsyncGroup()
for (label, size) in [("1 KiB", 1 << 10), ("100 KiB", 100 << 10)] {
    let recorder = try CassetteRecorder.open(
        folder: "\(folder)/\(size)", form: .reverse, upstreams: ["https://a.test"], sanitizer: sanitizer,
        matcher: Matcher(sanitizer: sanitizer), today: "2026-11-30", fsync: fsync)
    var draw = Draw()
    let body = bodies(size)[0].1
    for part in 1...3 {
        let seconds = try measured {
            for number in 0..<100 {
                var request = request
                request.target = Array("/items/\(part)-\(number)".utf8)
                let cookie = ("Set-Cookie", "sid=\(draw.text(32, hexadecimal)); Path=/")
                _ = try recorder.store(recorder.begin(request), answer(body, [cookie]))
            }
        }
        report("answers of \(label) with a new cookie each, the \(part). hundred", seconds, "files included")
    }
    _ = try recorder.finish()
}
for size in [1 << 10, 100 << 10] {
    for name in try Files.list("\(folder)/\(size)/interactions") {
        try Files.remove("\(folder)/\(size)/interactions/\(name)")
    }
}
