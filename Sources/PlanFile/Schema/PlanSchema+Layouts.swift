/// The key of layouts.
extension PlanSchema {
  static let layouts = SchemaObject.Property(
    "layouts", "Other lists of providers over the same sources, by name: for app versions with other extensions.",
    [
      "type": "object", "minProperties": 1,
      "properties": .object(PlanKeys.everywhere.map { (key: $0, value: .bool(true)) }),
      "additionalProperties": .reference("layout"),
    ])

  static let layout = SchemaObject(
    keys: .layout,
    properties: [
      .init(
        "providers", "The extensions of this layout, as those of the plan.",
        ["type": "array", "items": .reference("provider"), "minItems": 1])
    ],
    required: ["providers"])
}
