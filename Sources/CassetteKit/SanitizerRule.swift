/// One rule for what is hidden: data with an id. What each kind does is in a file of its own.
package struct SanitizerRule: Sendable, Equatable {
    /// Names the rule in configuration, in `cassette.json` and in reports; stands for the secret in a match key.
    package var id: String
    package var kind: Kind
    package var action: Action

    /// What becomes of a value.
    package enum Action: Sendable, Equatable {
        /// A placeholder stands for it, wherever it turns up.
        case placeholder
        /// As `placeholder`, for values that are no secret but differ at each recording: short ones are followed too, where
        /// they are a whole segment of a path, or a whole value under a name that ends like their own.
        case link
        /// What holds the value is taken out: the field's line, the item, cookie, member, element, part or segment. In text
        /// without structure only the value is.
        case remove
        /// This text stands in its place.
        case fixed(String)
        /// Letters become `x` and digits `0`; all else stays.
        case keepShape

        /// Whether a placeholder stands for the value.
        var isPlaceholder: Bool { self == .placeholder || self == .link }
    }

    package enum Kind: Sendable, Equatable {
        /// Credentials in these fields: the scheme's word stays.
        case credentials(fields: [String])
        /// Values of cookies in `Cookie` and `Set-Cookie`: names and attributes stay.
        case cookies
        /// Values that stand under certain names, in fields, query, forms, JSON, multipart and text.
        case names(SecretNames)
        /// Digests of bodies in which something was hidden.
        case digests
        /// Name and password before a URL's host.
        case userinfo
        /// Values that show by their shape what they are, wherever they stand.
        case shape(SecretShape)
        /// Values that show by their form that they are personal, wherever they stand.
        case pattern(SecretPattern)
        /// What a regular expression finds in a value: its groups, or the whole where it has none.
        case expression(OctetPattern)
        /// The values of all fields but these, and but those that say how a message is to be read.
        case headersBut([String])
        /// All strings and numbers of JSON bodies but those at or below these pointers.
        case jsonBut([String])
        /// These values, in every spelling, wherever they stand.
        case literals([String])
        /// Paths with `{name}` for a segment to be hidden and `*` for any.
        case pathSegments([String])
        /// Places in JSON bodies: pointers (RFC 6901) with `*` for any member or element.
        case pointers([String])
    }

    package init(id: String, kind: Kind, action: Action = .placeholder) {
        self.id = id
        self.kind = kind
        self.action = action
    }
}

/// How a configuration changes one of the built-in rules.
package struct SanitizerChange: Sendable, Equatable {
    /// The rule's id.
    package var id: String
    /// Nil leaves it.
    package var action: SanitizerRule.Action?
    /// Names that the rule leaves alone, whatever it hides by name.
    package var except: [String]

    package init(id: String, action: SanitizerRule.Action? = nil, except: [String] = []) {
        self.id = id
        self.action = action
        self.except = except
    }
}

/// Names under which secrets stand. They are compared ignoring case, `_`, `-` and `.`.
package struct SecretNames: Sendable, Equatable {
    /// Whole names.
    package var exact: [String]
    /// Ends of names (`password` takes `newPassword`).
    package var suffixes: [String]
    package var parts: Parts
    package var condition: Condition

    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let fields = Parts(rawValue: 1)
        package static let query = Parts(rawValue: 2)
        package static let form = Parts(rawValue: 4)
        package static let json = Parts(rawValue: 8)
        /// `name=value`, `"name": "value"`, `<name>value</name>` in text without structure of its own.
        package static let text = Parts(rawValue: 16)
        /// Every value below a JSON member of this name too.
        package static let below = Parts(rawValue: 32)
        /// Cookies, both ways, where a rule for all of them does not say it already.
        package static let cookies = Parts(rawValue: 64)

        package static let everywhere: Parts = [.fields, .query, .form, .json, .text, .below]
        package static let items: Parts = [.query, .form, .json]
    }

    /// What the value must look like.
    package enum Condition: Sendable, Equatable {
        case any
        /// Sixteen characters or more without white space, with a letter and a digit.
        case keyShaped
        /// Three to ten digits.
        case digits
        /// Any, if the same query, form or object has a name that OAuth uses along with a code.
        case oauth
    }

    package init(
        exact: [String] = [], suffixes: [String] = [], parts: Parts = .everywhere, condition: Condition = .any
    ) {
        self.exact = exact
        self.suffixes = suffixes
        self.parts = parts
        self.condition = condition
    }
}
