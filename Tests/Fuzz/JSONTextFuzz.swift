import CassetteKit
package import HTTPCore

/// Reads the input as JSON. What was taken must be the same value after it was written in any layout, a layout that is found
/// must give the input back, and every value must be found where it stands. Comments may only let more pass.
package func fuzzJSONText(_ input: Bytes) {
    let value = try? JSONText.parse(input)
    let relaxed = try? JSONText.parse(input, options: .relaxed)
    if let value {
        precondition(relaxed == value, "strict text reads otherwise where comments are allowed")
        checkLayouts(value, input)
    }
    if let relaxed { checkLayouts(relaxed, input) }
    let path = JSONPath(firstPath(in: relaxed))
    let place = JSONText.position(of: path, in: input, options: .relaxed)
    precondition(relaxed == nil || place != nil, "a value that was read is nowhere")
}

private func checkLayouts(_ value: JSONValue, _ input: Bytes) {
    for style in JSONLayout.Style.allCases {
        let written = JSONText.write(value, layout: JSONLayout(style, lf: true))
        precondition((try? JSONText.parse(written)) == value, "written with \(style) it reads otherwise")
    }
    if let layout = JSONLayout.of(input, value: value) {
        precondition(JSONText.write(value, layout: layout) == input, "\(layout) does not give the input back")
    }
}

/// The way to the first value of the first value, and so on.
private func firstPath(in value: JSONValue?) -> [JSONPath.Component] {
    var path: [JSONPath.Component] = []
    var value = value
    while path.count < 64, let current = value {
        if let member = current.members?.first {
            path.append(.key(member.key.text))
            value = member.value
        } else if let element = current.elements?.first {
            path.append(.index(0))
            value = element
        } else {
            break
        }
    }
    return path
}
