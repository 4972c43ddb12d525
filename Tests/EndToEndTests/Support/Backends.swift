import Foundation
import SystemIO
import TestSupport

/// A foreign program that prints the port it serves, and is killed when the test ends.
final class PrintedPortServer: Sendable {
    let port: Int
    private let child: ChildProcess

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts the program and waits until its output holds a number after `marker`.
    init(_ arguments: [String], after marker: String = "", in folder: String) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BackendError("no pipe") }
        let child = try ChildProcess.spawn(
            arguments, environment: Program.environment(), directory: folder,
            streams: .init(output: ends[1], inheritsOthers: false))
        close(ends[1])
        defer { close(ends[0]) }
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 512)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            guard count > 0 else { throw BackendError("\(arguments) ended before it printed its port: \(text)") }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            guard text.contains("\n"), let place = text.range(of: marker.isEmpty ? text : marker) else { continue }
            let rest = marker.isEmpty ? text[...] : text[place.upperBound...]
            if let port = Int(rest.prefix { $0.isNumber }) {
                self.port = port
                self.child = child
                return
            }
        }
    }

    deinit { child.signal(SIGKILL) }

    func stop() async {
        child.signal(SIGKILL)
        _ = await child.wait()
    }

    /// The backend beside these tests.
    ///
    /// - Parameter certificate: the files of a certificate and its key, with which it speaks TLS.
    static func python(_ certificate: [String] = []) throws -> PrintedPortServer {
        let script = (#filePath as NSString).deletingLastPathComponent + "/backend.py"
        return try PrintedPortServer(["python3", script] + certificate, in: "/")
    }

    /// `python3 -m http.server` over a folder.
    static func pythonFiles(_ folder: String) throws -> PrintedPortServer {
        try PrintedPortServer(
            // It writes a line for each request.
            ["sh", "-c", "exec python3 -u -m http.server 0 --bind 127.0.0.1 2>/dev/null"], after: " port ", in: folder)
    }
}

struct BackendError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// nginx over a folder of files, with gzip and a way through to another backend.
final class Nginx: Sendable {
    let port: Int
    private let folder: TemporaryDirectory

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Parameters:
    ///   - files: what it serves.
    ///   - backend: where `/echo`, `/counter`, `/empty` go.
    init(files: String, backend: Int, in folder: TemporaryDirectory) async throws {
        self.folder = folder
        for _ in 0..<5 {
            let port = try Self.freePort()
            try Data(Self.configuration(port: port, files: files, backend: backend, folder: folder.path).utf8)
                .write(to: URL(fileURLWithPath: folder.path + "/nginx.conf"))
            // It returns once it listens, and goes on in the background.
            let started = try await Program.run(
                ["nginx", "-p", folder.path, "-e", folder.path + "/nginx.err", "-c", folder.path + "/nginx.conf"],
                in: folder)
            if started.status == 0 {
                self.port = port
                return
            }
        }
        throw BackendError("nginx does not start: see nginx.err")
    }

    /// It is no child of ours, for it goes into the background; a test that failed has not stopped it.
    deinit {
        guard let text = try? Files.read(folder.path + "/nginx.pid") else { return }
        if let pid = pid_t(String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)) { _ = kill(pid, SIGTERM) }
    }

    func stop(in folder: TemporaryDirectory) async throws {
        _ = try await Program.run(
            [
                "nginx", "-p", folder.path, "-e", folder.path + "/nginx.err", "-c", folder.path + "/nginx.conf", "-s",
                "stop",
            ],
            in: folder)
    }

    private static func freePort() throws -> Int { try ClosedPort().port }

    private static func configuration(port: Int, files: String, backend: Int, folder: String) -> String {
        """
        worker_processes 1;
        pid \(folder)/nginx.pid;
        events { worker_connections 256; }
        http {
            access_log off;
            client_body_temp_path \(folder)/t1; proxy_temp_path \(folder)/t2; fastcgi_temp_path \(folder)/t3;
            uwsgi_temp_path \(folder)/t4; scgi_temp_path \(folder)/t5;
            types { application/json json; application/octet-stream bin; image/png png; text/html html; }
            gzip on; gzip_types application/json; gzip_min_length 100;
            server {
                listen 127.0.0.1:\(port);
                root \(files);
                if_modified_since before;
                location ~ ^/(echo|counter|empty|login|me|slow) { proxy_pass http://127.0.0.1:\(backend); }
            }
        }
        """
    }
}

/// A port on which nobody listens, and nobody else can while this exists: connections are refused.
final class ClosedPort: Sendable {
    let port: Int
    private let socket: Int32

    var url: String { "http://127.0.0.1:\(port)" }

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { [socket] in
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        if result != 0 { throw BackendError("no free port") }
    }

    deinit { close(socket) }
}
