import Dispatch
import HTTPCore

/// A small HTTP/1.1 client: one request, one connection, one deadline for all of it.
package struct WireClient: Sendable {
    package let host: String
    package let port: Int
    /// The longest time that an exchange may take, from the look-up of the name on.
    package let timeout: Duration

    package init(host: String, port: Int, timeout: Duration = .seconds(30)) {
        self.host = host
        self.port = port
        self.timeout = timeout
    }

    /// Sends a request on a thread that may block, and returns the whole response.
    package func perform(_ request: WireRequest) async throws(WireError) -> WireResponse {
        try await outcome(of: request).get()
    }

    /// Sends a request on a thread that may block, and returns the whole response or what came in its place.
    package func outcome(of request: WireRequest) async -> Result<WireResponse, WireError> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(WireError) in try send(request) })
            }
        }
    }

    /// Sends a request and reads the whole response; blocks.
    package func send(_ request: WireRequest) throws(WireError) -> WireResponse {
        guard let response = try sendAndRead(request, handingOver: nil) else { throw .closed(received: 0) }
        return response
    }

    /// Sends a request and reads the whole response, or hands its body over as it comes; blocks.
    ///
    /// - Parameter take: gets each piece of the body of a response with status 200; false ends the reading, which gives nil.
    func sendAndRead(
        _ request: WireRequest, handingOver take: (([UInt8]) -> Bool)?
    ) throws(WireError) -> WireResponse? {
        let socket = try WireSocket(host: host, port: port, deadline: Deadline(after: timeout))
        try socket.send(octets(of: request))
        var reader = ResponseReader(method: request.method)
        var received = 0
        while true {
            let piece = try socket.receive(after: received)
            received += piece.count
            do throws(ParseError) {
                let response = try piece.isEmpty ? reader.finish() : reader.take(piece)
                if let take, reader.status == 200 {
                    guard take(reader.takeBodySoFar()) else { return nil }
                }
                if let response { return response }
            } catch {
                throw error.label == "cut" ? .closed(received: received) : .malformed(error.message)
            }
            if piece.isEmpty { throw .closed(received: received) }
        }
    }

    private func octets(of request: WireRequest) -> Bytes {
        var fields = Fields()
        fields.append("Host", port == 80 ? host : "\(host):\(port)")
        for index in 0..<request.fields.count {
            if request.fields.isName("Host", at: index) {
                fields.remove("Host")
            }
            fields.append(name: request.fields.name(at: index), value: request.fields.value(at: index))
        }
        if let body = request.body {
            fields.append("Content-Length", String(body.count))
        }
        fields.append("Connection", "close")
        let head = RequestHead(method: request.method, target: Bytes(request.target.utf8), fields: fields)
        return Serializer.requestHead(head) + (request.body ?? [])
    }
}
