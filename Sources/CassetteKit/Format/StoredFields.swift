package import HTTPCore

/// Which field lines of a message are stored.
///
/// Lines that concern one connection (RFC 9110 §7.6.1) are not: they are the deck's own on replay. Neither is what
/// follows from something else in the interaction: Host from the URL, Content-Length from the body.
package enum StoredFields {
    /// Those of a request; Expect goes too, since it concerns the sending alone.
    package static func request(_ fields: Fields) -> Fields {
        let kept = removeHopByHop(fields, keepTE: true)
        return kept.filtered { index in
            !(kept.isName("Host", at: index) || kept.isName("Content-Length", at: index)
                || kept.isName("Expect", at: index))
        }
    }

    /// Those of a response; Content-Length stays where there is no body to follow from, as with HEAD and 304.
    package static func response(_ fields: Fields, framing: BodyFraming) -> Fields {
        let kept = removeHopByHop(fields, keepTE: false)
        if framing == .none { return kept }
        return kept.filtered { !kept.isName("Content-Length", at: $0) }
    }
}
