/// The recorded answer with nothing in its lists, or with the first half of each.
let emptyVariants: [String: VariantDefinition] = [
    "empty": VariantDefinition(edits: BodyEdits(empties: .topLevel)),
    "partial": VariantDefinition(edits: BodyEdits(halves: true)),
]
