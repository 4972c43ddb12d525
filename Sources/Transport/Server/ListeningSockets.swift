import CShims
import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The listening sockets of one address, on one port, and how they come to be.
struct ListeningSockets {
    var port: Int
    /// Descriptor and address of each, never empty.
    var sockets: [(descriptor: Int32, address: String)]

    /// So many tries to find a port that is free on both addresses.
    private static let tries = 20
    /// Connections that wait to be accepted; the system caps it.
    static let backlog: Int32 = 4_096

    /// Binds all hosts of an address on one port. An IPv6 host beside an IPv4 one is left out where the machine has no IPv6.
    static func bind(_ address: ListenAddress) throws(ListenError) -> ListeningSockets {
        for _ in 1...tries {
            let result = bindOnce(address)
            switch result {
            case .success(let sockets): return sockets
            case .failure(let failure):
                if address.port == 0, failure.errno == EADDRINUSE { continue }
                throw explain(failure, address)
            }
        }
        throw ListenError(message: "no port is free on all addresses of \(address.host)", advice: "give a port")
    }

    private static func bindOnce(_ address: ListenAddress) -> Result<ListeningSockets, SystemError> {
        var opened = ListeningSockets(port: address.port, sockets: [])
        for host in address.hosts {
            var port: Int32 = 0
            let result = tapedeck_listen(host, Int32(opened.port), backlog, &port)
            if result >= 0 {
                opened.port = Int(port)
                opened.sockets.append((result, host))
            } else if opened.sockets.isEmpty || ![EADDRNOTAVAIL, EAFNOSUPPORT].contains(-result) {
                for socket in opened.sockets { tapedeck_close(socket.descriptor) }
                return .failure(SystemError(call: "bind", errno: -result))
            }
        }
        return .success(opened)
    }

    private static func explain(_ failure: SystemError, _ address: ListenAddress) -> ListenError {
        switch failure.errno {
        case EADDRINUSE:
            ListenError(
                message: "port \(address.port) on \(address.host) is in use by another program",
                advice: "stop that program, or listen on another port; port 0 picks a free one")
        case EACCES:
            ListenError(
                message: "port \(address.port) may not be used by this user", advice: "listen on a port above 1023")
        case EINVAL:
            ListenError(
                message: "'\(address.host)' is no address of this machine",
                advice: "listen on localhost or on a numeric address")
        default:
            ListenError(
                message: "cannot listen on \(address.host):\(address.port): \(failure.reason)",
                advice: "listen on localhost or on an address of this machine")
        }
    }
}
