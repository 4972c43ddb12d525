package import HTTPCore

/// `cassette.json`.
package enum ManifestFormat {
    package static let fileName = "cassette.json"

    private static let brokenKeys: Set<String> = ["upstreams", "sanitizers", "secretPlaces"]

    /// The file's octets.
    package static func write(_ manifest: CassetteManifest) -> Bytes {
        var members = [
            JSONMember("version", .integer(manifest.version)),
            JSONMember("form", .text(manifest.form.rawValue)),
            JSONMember("upstreams", .array(manifest.upstreams.map { .text($0) })),
            JSONMember("sanitizers", .array(manifest.sanitizers.map { .text($0) })),
            JSONMember("secretPlaces", .array(manifest.secretPlaces.map(value))),
        ]
        if let checked = manifest.checked { members.append(JSONMember("checked", .text(checked))) }
        return JSONReviewWriter.write(.object(members + manifest.unknown), brokenKeys: brokenKeys)
    }

    /// Reads the file's octets; `path` is for messages.
    package static func read(_ octets: Bytes, path: String) throws(FormatError) -> CassetteManifest {
        let document: JSONValue
        do throws(FormatError) {
            document = try JSONText.parse(octets)
        } catch {
            var error = error
            error.file = path
            throw error
        }
        do throws(ShapeProblem) {
            return try read(document)
        } catch {
            throw error.located(file: path, octets: octets)
        }
    }

    private static func read(_ document: JSONValue) throws(ShapeProblem) -> CassetteManifest {
        var object = try ObjectReader(document, "the cassette")
        // The version comes first: of a newer format nothing else can be judged.
        let version = try object.require("version", version)
        let form = try object.take("form", form) ?? .reverse
        let upstreams = try object.take("upstreams", texts) ?? []
        let sanitizers = try object.take("sanitizers", texts) ?? []
        let places = try object.take("secretPlaces") { value throws(ShapeProblem) in
            try Shape.array(value, of: Self.secretPlace)
        }
        let checked = try object.take("checked", Shape.text)
        return CassetteManifest(
            version: version, form: form, upstreams: upstreams, sanitizers: sanitizers, secretPlaces: places ?? [],
            checked: checked, unknown: object.unknown)
    }

    private static func version(_ value: JSONValue) throws(ShapeProblem) -> Int {
        let version = try Shape.integer(value)
        let newest = CassetteManifest.currentVersion
        guard version <= newest else {
            throw ShapeProblem(
                message: "the cassette has format version \(version), and this program reads up to \(newest)",
                advice: "Use a newer tapedeck, or record the cassette again with this one")
        }
        guard version >= 1 else { throw ShapeProblem(message: "the version must be 1 or more") }
        return version
    }

    private static func form(_ value: JSONValue) throws(ShapeProblem) -> CassetteManifest.Form {
        guard let form = CassetteManifest.Form(rawValue: try Shape.text(value)) else {
            throw ShapeProblem(message: "the form is unknown", advice: "Use reverse or forward")
        }
        return form
    }

    private static func texts(_ value: JSONValue) throws(ShapeProblem) -> [String] {
        try Shape.array(value, of: Shape.text)
    }

    private static func value(_ place: SecretPlace) -> JSONValue {
        .object([
            JSONMember("method", .text(place.method)),
            JSONMember("path", .text(place.path)),
            JSONMember("place", .text(place.location.description)),
        ])
    }

    private static func secretPlace(_ value: JSONValue) throws(ShapeProblem) -> SecretPlace {
        var object = try ObjectReader(value, "the secret place")
        let method = try object.require("method", Shape.text)
        let path = try object.require("path", Shape.text)
        let location = try object.require("place") { value throws(ShapeProblem) in
            guard let location = SecretLocation(try Shape.text(value)) else {
                throw ShapeProblem(
                    message: "the place is unknown",
                    advice:
                        "Write request or response, then path, query, header, cookie, form, json or text, then the name"
                )
            }
            return location
        }
        return SecretPlace(method: method, path: path, location: location)
    }
}
