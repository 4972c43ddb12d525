/// The resources of the control API, each with the method that uses it.
///
/// Bodies are JSON documents of this module, sent as `application/json`; failures are `Problem`, sent as
/// `application/problem+json`. Where a token is required it goes as `Authorization: Bearer TOKEN`.
public enum ControlPath {
    /// `GET` → `Health`.
    public static let health = "/health"
    /// `GET` → `RouteList`.
    public static let routes = "/routes"
    /// `GET` → `ScenarioList`.
    public static let scenarios = "/scenarios"
    /// `PUT` `ScenarioChoice` → `ScenarioList`.
    public static let scenario = "/scenario"
    /// `PUT` `LatencyChoice` → `LatencyChoice`.
    public static let latency = "/latency"
    /// `PUT` `OfflineChoice` → `OfflineChoice`.
    public static let offline = "/offline"
    /// `GET` → a stream of `ExchangeEvent` and `ChangeEvent` as server-sent events.
    public static let events = "/events"
    /// `GET` → the deck's figures in Prometheus' text format.
    public static let metrics = "/metrics"
    /// `GET` → the description of this API (OpenAPI 3.1).
    public static let openAPI = "/openapi.json"
    /// `GET` → the JSON Schema of `tapedeck.json`.
    public static let schema = "/schema.json"
    /// `POST` `{}` → `Health`: the session begins anew, as at start.
    public static let reset = "/reset"
    /// `POST` `{}` → `ExpiryReport`: the next exchange of a route that does not sign in gets `tokenExpired`.
    public static let expireToken = "/expire-token"
    /// `POST` `SessionRequest` → `SessionState`, `GET` → `SessionList`.
    public static let sessions = "/sessions"
    /// `GET` → `JournalPage`; the query takes `route`, `method`, `path`, `status`, `outcome`, `after` and `limit`.
    public static let journal = "/journal"
    /// `POST` an assertion → `AssertionResult`.
    public static let assertions = "/assertions"
    /// `POST` `{}` → `ReloadReport`: the configuration is read again.
    public static let reload = "/reload"
    /// `POST` `{}` → `StopReport`, sent when the deck has drained.
    public static let stop = "/stop"

    /// `PUT` `VariantChoice` → `RouteState`: the variant of one route.
    ///
    /// - Parameter route: the route's name; what is not an unreserved character (RFC 3986 §2.3) is percent-encoded.
    public static func variant(ofRoute route: String) -> String {
        "/routes/" + escaped(route) + "/variant"
    }

    /// `GET` → `SessionState`, `DELETE` `SessionEnd` → `StopReport`: one session.
    public static func session(_ name: String) -> String { sessions + "/" + escaped(name) }

    /// A path with a query of the items that have a value.
    public static func query(_ path: String, _ items: [(name: String, value: String?)]) -> String {
        let given = items.compactMap { item in item.value.map { "\(item.name)=\(escaped($0))" } }
        return given.isEmpty ? path : path + "?" + given.joined(separator: "&")
    }

    private static func escaped(_ segment: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var octets: [UInt8] = []
        for octet in segment.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                octets.append(octet)
            default:
                octets += [UInt8(ascii: "%"), hex[Int(octet >> 4)], hex[Int(octet & 15)]]
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}
