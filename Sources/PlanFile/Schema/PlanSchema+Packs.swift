/// The keys of packs.
extension PlanSchema {
  static let packs: [SchemaObject.Property] = [
    .init(
      "packs", "Delivers the entries as one file for each area, of which a user installs some.", ["enum": ["area"]]),
    .init("packWithoutArea", "The pack of rows without an area.", .reference("text"), standard: "base"),
    .init(
      "packSets", "Packs that must fit a phone together; the first set is delivered where nobody has chosen.",
      [
        "type": "array", "items": ["anyOf": [list(.reference("text")), ["const": "all"]]],
        "minItems": .int(PlanDecoder.packSets.lowerBound), "maxItems": .int(PlanDecoder.packSets.upperBound),
      ]),
  ]

  static let packRules: [SchemaNode] = [
    .when(SchemaNode.requires("packs").negated, .forbids(["packWithoutArea", "packSets"]))
  ]
}
