/// The recorded answer with nothing in its lists.
let emptyVariants: [String: VariantDefinition] = [
    "empty": VariantDefinition(edits: BodyEdits(empties: .topLevel))
]
