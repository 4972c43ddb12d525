import HTTPCore

/// The extension of a body's file, for the viewers that people open it with; `[a-z0-9]` only.
///
/// It decides nothing: on replay the type is that of the recorded header. JSON is `jsn`, because a file that ends in
/// `.json` is an interaction.
enum FileExtension {
    /// - Parameter mediaType: The value of Content-Type.
    static func of(_ octets: Bytes, isText: Bool, mediaType: ArraySlice<UInt8>?) -> String {
        if let mediaType, let type = MediaType.parse(mediaType) {
            if type.isJSON, isText { return "jsn" }
            if let known = byType["\(type.type)/\(type.subtype)"] { return known }
            if type.isXML, isText { return "xml" }
        }
        if let signature = signatures.first(where: { octets.dropFirst($0.offset).starts(with: $0.octets) }) {
            return signature.ending
        }
        return isText ? "txt" : "bin"
    }

    private static let byType: [String: String] = [
        "application/gzip": "gz", "application/javascript": "js", "application/octet-stream": "bin",
        "application/pdf": "pdf", "application/wasm": "wasm", "application/x-protobuf": "pb",
        "application/protobuf": "pb", "application/zip": "zip", "audio/aac": "aac", "audio/mp4": "m4a",
        "audio/mpeg": "mp3", "audio/ogg": "ogg", "audio/wav": "wav", "font/otf": "otf", "font/ttf": "ttf",
        "font/woff": "woff", "font/woff2": "woff2", "image/avif": "avif", "image/gif": "gif", "image/heic": "heic",
        "image/jpeg": "jpg", "image/png": "png", "image/svg+xml": "svg", "image/tiff": "tiff", "image/webp": "webp",
        "image/x-icon": "ico", "image/vnd.microsoft.icon": "ico", "text/css": "css", "text/csv": "csv",
        "text/html": "html", "text/javascript": "js", "text/markdown": "md", "text/plain": "txt", "text/xml": "xml",
        "application/xml": "xml", "video/mp4": "mp4", "video/quicktime": "mov", "video/webm": "webm",
    ]

    private struct Signature {
        var offset = 0
        var octets: Bytes
        var ending: String
    }

    /// The first octets of common formats, for bodies whose type says nothing.
    private static let signatures: [Signature] = [
        Signature(octets: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], ending: "png"),
        Signature(octets: [0xFF, 0xD8, 0xFF], ending: "jpg"),
        Signature(octets: Bytes("GIF8".utf8), ending: "gif"),
        Signature(offset: 8, octets: Bytes("WEBP".utf8), ending: "webp"),
        Signature(octets: Bytes("%PDF-".utf8), ending: "pdf"),
        Signature(octets: [0x50, 0x4B, 0x03, 0x04], ending: "zip"),
        Signature(octets: [0x1F, 0x8B, 0x08], ending: "gz"),
        Signature(offset: 4, octets: Bytes("ftyp".utf8), ending: "mp4"),
        Signature(octets: Bytes("<?xml".utf8), ending: "xml"),
    ]
}
