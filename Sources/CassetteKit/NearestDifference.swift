/// One place at which a request differs from a recorded one.
package struct NearestDifference: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
        case method
        case host
        /// A segment of the path, from 1.
        case pathSegment(Int)
        /// By the item's name.
        case query(String)
        /// By the field's name.
        case header(String)
        /// By pointer.
        case json(String)
        /// By the field's name.
        case form(String)
        /// The body as a whole.
        case body
    }

    package var place: Place
    /// What the request has, sanitized and cut; nil if nothing stands there.
    package var request: String?
    /// What the recording has, sanitized and cut; nil if nothing stands there.
    package var recorded: String?

    /// How far apart two requests are at this place; the sum over all places is an interaction's distance.
    package var weight: Int {
        switch place {
        case .host: 64
        case .method: 32
        case .pathSegment: 16
        case .query: 4
        case .form, .header: 2
        case .json: 1
        case .body: 8
        }
    }
}

extension NearestDifference.Place: CustomStringConvertible {
    package var description: String {
        switch self {
        case .method: "method"
        case .host: "host"
        case .pathSegment(let number): "path segment \(number)"
        case .query(let name): "query item \(name)"
        case .header(let name): "field \(name)"
        case .json(let pointer): pointer.isEmpty ? "body" : "body \(pointer)"
        case .form(let name): "form field \(name)"
        case .body: "body octets"
        }
    }
}

extension NearestDifference: CustomStringConvertible {
    package var description: String {
        switch (request, recorded) {
        case (let request?, let recorded?): "\(place): \(request), recorded \(recorded)"
        case (let request?, nil): "\(place): \(request), not recorded"
        case (nil, let recorded?): "\(place): missing, recorded \(recorded)"
        case (nil, nil): "\(place)"
        }
    }
}

/// Values as a report shows them: short, on one line, without secrets.
enum NearestText {
    /// Longer values are cut.
    private static let limit = 80

    static func show(_ octets: some Collection<UInt8>) -> String {
        show(String(decoding: octets, as: UTF8.self))
    }

    static func show(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || isInvisible(scalar) {
                shown += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        if text.unicodeScalars.count > limit { shown += "…" }
        return shown
    }

    /// Characters that turn the direction of text or can't be seen.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
