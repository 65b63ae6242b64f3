internal import CallDirectory
internal import ShardPlanning

extension PlanSchema {
  private static let claims: [SchemaObject.Property] = [
    .init("areas", "Areas that are claimed.", list(.reference("text"))),
    .init(
      "prefixes", "Beginnings of numbers that are claimed.",
      list(["type": "string", "pattern": .text("^\\+[1-9][0-9]{0,\(PhoneNumber.maximumDigits - 1)}$")])),
    .init("countries", "Countries whose numbers are claimed.", list(.reference("country"))),
    .init("sources", "Sources whose rows are claimed.", list(.reference("id"))),
    .init(
      "actions", "Actions that are claimed.",
      list(["enum": .texts(EntryAction.allCases.filter { !$0.families.isEmpty }.map(\.rawValue))])),
    .init(
      "ranges", "Ranges of numbers that are claimed: both ends with a - between.",
      list(["type": "string", "pattern": .text("^\(whole)-\(whole)$")])),
  ]

  /// A whole number with its calling code.
  private static let whole = "\\+[1-9][0-9]{6,\(PhoneNumber.maximumDigits - 1)}"

  static let clause = SchemaObject(
    keys: .clause, properties: claims, rules: [.requiresAny(PlanKeys.claim)])

  static let provider = SchemaObject(
    keys: .provider,
    properties: [
      .init("id", "The name of the provider.", .reference("id")),
      .init("title", "The name that settings show; the id unless stated.", .reference("text")),
      .init("enabled", "Whether it starts on.", bool, standard: true),
      .init(
        "library", "A library in the plugins folder, or a path; the standard one unless stated.", .reference("text")),
      .init("options", "An object handed to the library as it is.", ["type": "object"]),
      .init("container", "The name of its writable folder; the id unless stated.", .reference("id")),
      .init(
        "limit", "The most entries of both families.", integer(1...EntryLimit.maximum),
        standard: .int(EntryLimit.maximum)),
      .init("spillsTo", "Providers that take what finds no room here.", list(.reference("id"))),
      .init(
        "excess", "What happens to entries that fit nowhere.", .cases(of: ExcessRule.self), standard: "error"),
    ] + claims + [
      .init(
        "anyOf", "Alternatives, one of which must hold.",
        ["type": "array", "items": .reference("clause"), "minItems": 1]),
      .init("rest", "Whether it claims what no other provider claims.", ["const": true]),
      .init("mayBeEmpty", "Whether areas and sources of the claim may match no row.", bool, standard: false),
    ],
    required: ["id"],
    rules: [
      .when(.requires("rest"), .forbids(PlanKeys.claim + ["anyOf"])),
      .when(
        .requiresAny(PlanKeys.claim + ["anyOf", "rest"]), true,
        otherwise: SchemaNode.requires("library").adding(
          SchemaNode.forbids(["limit", "spillsTo", "excess", "mayBeEmpty"]).members)),
    ])
}
