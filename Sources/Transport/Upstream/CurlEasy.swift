import CCurl
import CShims

/// A libcurl easy handle: one transfer at a time, used again after `reset()`.
///
/// What libcurl only borrows (lists of lines, the buffer for its error text) lives as long as the handle.
final class CurlEasy {
    /// The handle, which also names the transfer in the multi handle's reports.
    let handle: UnsafeMutableRawPointer
    /// The first option that this libcurl refused since the last reset: its number and what libcurl said.
    private(set) var refused: (option: UInt32, code: Int32)?
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var lines = CurlList()
    private var connectTo = CurlList()

    /// Nil when memory is out.
    init?() {
        guard CurlGlobal.isReady, let handle = curl_easy_init() else { return nil }
        self.handle = handle
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
    }

    deinit {
        curl_easy_cleanup(handle)
        errorBuffer.deallocate()
    }

    /// Forgets the last transfer and its options; connections and look-ups belong to the multi handle.
    func reset() {
        curl_easy_reset(handle)
        refused = nil
        lines = CurlList()
        connectTo = CurlList()
        errorBuffer[0] = 0
        set(CURLOPT_ERRORBUFFER, pointer: errorBuffer)
    }

    /// libcurl's words about the failed transfer, which can be empty.
    var errorText: String { String(cString: errorBuffer) }

    /// The system's error number of the last failed connect, 0 for none.
    var systemError: Int32 {
        var number = 0
        _ = tapedeck_curl_get_long(handle, Int32(CURLINFO_OS_ERRNO.rawValue), &number)
        return Int32(truncatingIfNeeded: number)
    }

    // MARK: Options

    func set(_ option: CURLoption, _ value: Int) {
        note(option, tapedeck_curl_set_long(handle, Int32(option.rawValue), value))
    }

    func set(_ option: CURLoption, offset: Int) {
        note(option, tapedeck_curl_set_offset(handle, Int32(option.rawValue), Int64(offset)))
    }

    func set(_ option: CURLoption, _ text: String) {
        note(option, tapedeck_curl_set_string(handle, Int32(option.rawValue), text))
    }

    /// Sets an option to octets, which must have no NUL.
    func set(_ option: CURLoption, octets: [UInt8]) {
        let code = (octets + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                tapedeck_curl_set_string(handle, Int32(option.rawValue), $0.baseAddress)
            }
        }
        note(option, code)
    }

    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        note(option, tapedeck_curl_set_pointer(handle, Int32(option.rawValue), pointer))
    }

    /// Sets the field lines, each as `CURLOPT_HTTPHEADER` wants them.
    func setLines(_ lines: [[UInt8]]) {
        self.lines = list(lines, CURLOPT_HTTPHEADER)
        set(CURLOPT_HTTPHEADER, pointer: self.lines.head)
    }

    /// Connects to another host and port than those of the URL, whatever these are.
    func setConnectTo(_ host: String, _ port: Int) {
        let bracketed = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        connectTo = list([Array("::\(bracketed):\(port)".utf8)], CURLOPT_CONNECT_TO)
        set(CURLOPT_CONNECT_TO, pointer: connectTo.head)
    }

    private func list(_ lines: [[UInt8]], _ option: CURLoption) -> CurlList {
        var list = CurlList()
        for line in lines where !list.append(line) { note(option, Int32(CURLE_OUT_OF_MEMORY.rawValue)) }
        return list
    }

    private func note(_ option: CURLoption, _ code: Int32) {
        if code != 0, refused == nil { refused = (UInt32(option.rawValue), code) }
    }

    // MARK: Callbacks

    /// Routes the transfer's callbacks to `context`, which the caller keeps alive while the transfer runs.
    func setCallbacks(
        _ callbacks: CurlCallbacks, context: UnsafeMutableRawPointer
    ) {
        note(
            CURLOPT_HEADERFUNCTION,
            tapedeck_curl_set_octets_callback(handle, Int32(CURLOPT_HEADERFUNCTION.rawValue), callbacks.header))
        note(
            CURLOPT_WRITEFUNCTION,
            tapedeck_curl_set_octets_callback(handle, Int32(CURLOPT_WRITEFUNCTION.rawValue), callbacks.body))
        note(
            CURLOPT_READFUNCTION,
            tapedeck_curl_set_octets_callback(handle, Int32(CURLOPT_READFUNCTION.rawValue), callbacks.upload))
        note(CURLOPT_DEBUGFUNCTION, tapedeck_curl_set_debug_callback(handle, callbacks.debug))
        note(CURLOPT_PREREQFUNCTION, tapedeck_curl_set_prereq_callback(handle, callbacks.connected))
        note(CURLOPT_RESOLVER_START_FUNCTION, tapedeck_curl_set_resolver_callback(handle, callbacks.lookUp))
        note(CURLOPT_OPENSOCKETFUNCTION, tapedeck_curl_set_open_callback(handle, callbacks.openSocket))
        for option in [
            CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_DEBUGDATA, CURLOPT_PREREQDATA,
            CURLOPT_RESOLVER_START_DATA, CURLOPT_OPENSOCKETDATA,
        ] {
            set(option, pointer: context)
        }
    }

    /// Routes what a mere connection calls to `context`, which the caller keeps alive until it stands or has failed.
    func setDialCallbacks(
        openSocket: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?) -> Int32,
        lookUp: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32,
        _ context: UnsafeMutableRawPointer
    ) {
        note(CURLOPT_OPENSOCKETFUNCTION, tapedeck_curl_set_open_callback(handle, openSocket))
        note(CURLOPT_RESOLVER_START_FUNCTION, tapedeck_curl_set_resolver_callback(handle, lookUp))
        for option in [CURLOPT_OPENSOCKETDATA, CURLOPT_RESOLVER_START_DATA] { set(option, pointer: context) }
    }

    /// Asks for the trailers of an upload in chunks at its end, with the context of the other callbacks.
    func setTrailers(_ callback: @escaping CurlCallbacks.Trailers, context: UnsafeMutableRawPointer) {
        note(CURLOPT_TRAILERFUNCTION, tapedeck_curl_set_trailer_callback(handle, callback))
        set(CURLOPT_TRAILERDATA, pointer: context)
    }

    /// Closes the transfer's sockets through a function, whose context outlives the connections.
    func setClose(
        _ callback: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32, context: UnsafeMutableRawPointer
    ) {
        note(CURLOPT_CLOSESOCKETFUNCTION, tapedeck_curl_set_close_callback(handle, callback))
        set(CURLOPT_CLOSESOCKETDATA, pointer: context)
    }

    /// Pauses and resumes each direction; may call the transfer's callbacks before it returns.
    func pause(receiving: Bool, sending: Bool) -> Int32 {
        let mask = (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0)
        return Int32(curl_easy_pause(handle, mask).rawValue)
    }
}

/// The functions that libcurl calls during a transfer (`curl_easy_setopt(3)`).
struct CurlCallbacks {
    typealias Octets = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

    typealias Trailers =
        @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>?, UnsafeMutableRawPointer?) -> Int32

    var header: Octets
    var body: Octets
    var upload: Octets
    var debug:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<CChar>?, Int, UnsafeMutableRawPointer?
        ) -> Int32
    var connected:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?, Int32, Int32
        ) -> Int32
    var lookUp: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
    var trailers: Trailers
    var openSocket: @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeMutableRawPointer?) -> Int32
}

/// libcurl's process-wide state, set up once and never taken down: other threads may use it to the end.
enum CurlGlobal {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
