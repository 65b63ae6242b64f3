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

  static let providerGuard = SchemaObject(
    keys: .providerGuard,
    properties: [
      .init("shrink", "How many fewer entries it may have than in the last release.", .reference("fraction")),
      .init(
        "growth", "How many more entries it may have than in the last release.", ["type": "number", "minimum": 0]),
    ],
    rules: [.requiresAny(PlanKeys.providerGuard.known)])

  static let warnAt: SchemaNode = ["type": "number", "minimum": 0, "maximum": 1, "not": ["const": 0]]

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
      .init(
        "count", "How many copies share the claim by ranges of numbers.",
        ["anyOf": [integer(Plan.copies), ["const": "auto"]]]),
      .init("spillsTo", "Providers that take what finds no room here.", list(.reference("id"))),
      .init(
        "excess", "What happens to entries that fit nowhere.", .cases(of: ExcessRule.self), standard: "error"),
      .init(
        "fillBy", "Which entries have its places where not all have one.", .cases(of: FillRule.self),
        standard: "number"),
      .init(
        "fillMargin", "By which ratio a newcomer's score must be higher; 0.1 unless stated.",
        ["type": "number", "minimum": 0, "maximum": .int(PlanDecoder.greatestMargin)]),
      .init("warnAt", "The share of the limit from which it is called nearly full; the plan's unless stated.", warnAt),
      .init(
        "dropLabelsOfBlocked", "Whether it gets no label of a number that is blocked; the plan's unless stated.", bool),
      .init("guard", "How far its entries may differ from the last release.", .reference("providerGuard")),
    ] + packs + claims + [
      .init(
        "anyOf", "Alternatives, one of which must hold.",
        ["type": "array", "items": .reference("clause"), "minItems": 1]),
      .init("rest", "Whether it claims what no other provider claims.", ["const": true]),
      .init("mayBeEmpty", "Whether areas and sources of the claim may match no row.", bool, standard: false),
    ],
    required: ["id"],
    rules: [
      .when(.requires("rest"), .forbids(PlanKeys.claim + ["anyOf"])),
      .when(.requires("fillMargin"), .states("fillBy", [FillRule.score.rawValue])),
      .when(
        .requiresAny(PlanKeys.claim + ["anyOf", "rest"]), true,
        otherwise: SchemaNode.requires("library").adding(
          SchemaNode.forbids(PlanKeys.split).members)),
    ] + packRules)
}
