// Asks for each URL that is given, and prints what URLSession made of it: a line each.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let names: [Int: String] = [
    -1: "unknown", -999: "cancelled", -1001: "timedOut", -1002: "unsupportedURL", -1003: "cannotFindHost",
    -1004: "cannotConnectToHost", -1005: "networkConnectionLost", -1007: "httpTooManyRedirects",
    -1009: "notConnectedToInternet", -1011: "badServerResponse", -1015: "cannotDecodeRawData",
    -1016: "cannotDecodeContentData", -1017: "cannotParseResponse", -1200: "secureConnectionFailed",
    -1202: "serverCertificateUntrusted",
]

@main struct Asking {
    static func main() async {
        for argument in CommandLine.arguments.dropFirst() {
            guard let url = URL(string: argument) else { continue }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = 2
            let session = URLSession(configuration: configuration)
            do {
                let (data, response) = try await session.data(from: url)
                print("\((response as? HTTPURLResponse)?.statusCode ?? 0), \(data.count) octets")
            } catch let error as URLError {
                print("\(error.code.rawValue) `\(names[error.code.rawValue] ?? "?")`")
            } catch {
                print("\(error)")
            }
        }
    }
}
