import CCurl

/// A libcurl list of lines (`curl_slist_append(3)`), freed with its owner.
struct CurlList: ~Copyable {
    /// The first link, or nil for an empty list; good for as long as this value lives.
    private(set) var head: UnsafeMutablePointer<curl_slist>?

    init() {}

    deinit {
        curl_slist_free_all(head)
    }

    /// Appends a copy of a line that has no NUL; false when memory is out.
    mutating func append(_ line: [UInt8]) -> Bool {
        let octets = line + [0]
        let longer = octets.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { curl_slist_append(head, $0.baseAddress) }
        }
        guard let longer else { return false }
        head = longer
        return true
    }

    /// Hands the list to libcurl, which frees it (trailers only).
    consuming func release() -> UnsafeMutablePointer<curl_slist>? {
        defer { head = nil }
        return head
    }
}
