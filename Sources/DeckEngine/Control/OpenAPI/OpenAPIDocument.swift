import CassetteKit
import ControlAPI
import HTTPCore

/// The description of the control API, as `GET /openapi.json` gives it (OpenAPI 3.1): made from the table of resources and
/// from the types of the documents, so that it can't say anything else than these.
let openAPIDocument: Bytes = JSONText.write(OpenAPIDocument().value, layout: JSONLayout(.indent2, lf: true))

/// Puts the description together.
struct OpenAPIDocument {
    var value: JSONValue {
        .object([
            JSONMember("openapi", .text("3.1.0")),
            JSONMember(
                "info",
                .object([
                    JSONMember("title", .text("tapedeck control API")),
                    JSONMember("version", .text(ProgramVersion.current)),
                    JSONMember(
                        "description",
                        .text("Drives a running deck. Changes are application/json, failures problem documents.")),
                ])),
            JSONMember("security", .array([.object([]), .object([JSONMember("token", .array([]))])])),
            JSONMember("paths", .object(paths)),
            JSONMember(
                "components",
                .object([JSONMember("securitySchemes", securitySchemes), JSONMember("schemas", .object(schemas))])),
        ])
    }

    private var securitySchemes: JSONValue {
        .object([
            JSONMember(
                "token",
                .object([
                    JSONMember("type", .text("http")), JSONMember("scheme", .text("bearer")),
                    JSONMember("description", .text("Needed where the deck was started with --control-token.")),
                ]))
        ])
    }

    // MARK: Resources

    private var paths: [JSONMember] {
        var paths: [JSONMember] = []
        for resource in ControlResource.all {
            let operation = JSONMember(resource.method.lowercased(), operation(resource))
            if let index = paths.firstIndex(where: { $0.key.isText(resource.path) }) {
                paths[index].value = .object((paths[index].value.members ?? []) + [operation])
            } else {
                paths.append(JSONMember(resource.path, .object([operation])))
            }
        }
        return paths
    }

    private func operation(_ resource: ControlResource) -> JSONValue {
        var members = [
            JSONMember("operationId", .text(resource.name)), JSONMember("summary", .text(resource.summary)),
        ]
        let names = resource.nameInPath.map { [ControlParameter($0, .text, "As the deck has it.", inPath: true)] } ?? []
        let parameters = names + resource.takes.query
        if !parameters.isEmpty { members.append(JSONMember("parameters", .array(parameters.map(\.value)))) }
        if let body = resource.takes.body {
            members.append(
                JSONMember(
                    "requestBody",
                    .object([
                        JSONMember("required", .bool(body.isRequired)),
                        JSONMember("content", content("application/json", schema(body.document))),
                    ])))
        }
        members.append(JSONMember("responses", .object(responses(resource))))
        return .object(members)
    }

    private func responses(_ resource: ControlResource) -> [JSONMember] {
        let answer = JSONValue.object([
            JSONMember("description", .text(resource.gives.words)),
            JSONMember("content", content(resource.gives.mediaType, schema(resource.gives.document))),
        ])
        let problem = schema("Problem")
        return [JSONMember("200", answer)]
            + resource.refusals.map { status in
                JSONMember(
                    String(status),
                    .object([
                        JSONMember("description", .text(Refusal.meaning(of: status))),
                        JSONMember("content", content(ControlAPI.Problem.contentType, problem)),
                    ]))
            }
    }

    private func content(_ type: String, _ schema: JSONValue) -> JSONValue {
        .object([JSONMember(type, .object([JSONMember("schema", schema)]))])
    }

    /// A reference to a document; nil stands for text, an empty name for an object of any kind.
    private func schema(_ document: String?) -> JSONValue {
        guard let document else { return .object([JSONMember("type", .text("string"))]) }
        if document.isEmpty { return .object([JSONMember("type", .text("object"))]) }
        return .object([JSONMember("$ref", .text("#/components/schemas/\(document)"))])
    }

    // MARK: Documents

    private var schemas: [JSONMember] {
        ControlDocument.all.compactMap { document in
            let name = String(describing: document.type)
            guard let shape = try? DocumentShape.all(of: document.type)[name] else { return nil }
            return JSONMember(name, schema(of: document, shape))
        }
    }

    private func schema(of document: ControlDocument, _ shape: DocumentShape) -> JSONValue {
        var members = [
            JSONMember("type", .text("object")), JSONMember("description", .text(document.words)),
            JSONMember(
                "properties",
                .object(shape.members.map { JSONMember($0.name, schema(of: $0, document.notes[$0.name])) })),
        ]
        let required = shape.members.filter { !$0.isOptional }.map { JSONValue.text($0.name) }
        if !required.isEmpty { members.append(JSONMember("required", .array(required))) }
        if document.isClosed { members.append(JSONMember("additionalProperties", .bool(false))) }
        return .object(members)
    }

    private func schema(of member: DocumentShape.Member, _ note: ControlDocument.Note?) -> JSONValue {
        let words = note?.words.map { [JSONMember("description", .text($0))] } ?? []
        if note?.isAnything == true { return .object(words) }
        var schema = schema(of: member.kind)
        for extra in note?.schema ?? [] {
            schema.removeAll { $0.key == extra.key }
            schema.append(extra)
        }
        return .object((member.isOptional ? orNull(schema) : schema) + words)
    }

    private func schema(of kind: DocumentShape.Kind) -> [JSONMember] {
        func type(_ name: String) -> JSONMember { JSONMember("type", .text(name)) }
        switch kind {
        case .text: return [type("string")]
        case .integer: return [type("integer")]
        case .natural: return [type("integer"), JSONMember("minimum", .integer(0))]
        case .number: return [type("number")]
        case .truth: return [type("boolean")]
        case .choice(let words): return [type("string"), JSONMember("enum", .array(words.map { .text($0) }))]
        case .list(let kind): return [type("array"), JSONMember("items", .object(schema(of: kind)))]
        case .map(let kind): return [type("object"), JSONMember("additionalProperties", .object(schema(of: kind)))]
        case .document(let name): return [JSONMember("$ref", .text("#/components/schemas/\(name)"))]
        }
    }

    /// What is left out may be given as null, too.
    private func orNull(_ schema: [JSONMember]) -> [JSONMember] {
        schema.map { member in
            switch (member.key.text, member.value) {
            case ("type", let type): return JSONMember("type", .array([type, .text("null")]))
            case ("enum", .array(let words)): return JSONMember("enum", .array(words + [.null]))
            default: return member
            }
        }
    }
}
