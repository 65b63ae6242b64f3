internal import CallDirectory
internal import PhoneNumbering
internal import PositionedJSON
internal import ShardPlanning

/// The JSON Schema (draft 2020-12) of plan files, for editors and for programs that write plans.
///
/// What it accepts is a superset of what ``Plan`` accepts: a schema cannot know which ids, columns and files there are.
public enum PlanSchema {
  /// The schema as a JSON text that ends with a line feed.
  public static func document() -> [UInt8] {
    var json = JSONWriter()
    root.write(to: &json)
    return json.finish()
  }

  /// Every kind of object, so that a test can hold it to the decoder's keys.
  static var objects: [SchemaObject] {
    [plan, source, actionColumn, filter, sourceGuard, providerGuard, provider, clause, layout, phone, paths]
  }

  private static var root: SchemaNode {
    SchemaNode.object([
      ("$schema", "https://json-schema.org/draft/2020-12/schema"),
      ("title", "shardctl plan"),
      ("description", "Which files hold the rows, how they are split over providers, and the phone that takes them."),
    ])
    .adding(plan.node.members)
    .adding([
      (
        "$defs",
        .object(
          [
            ("text", text), ("id", id), ("country", country), ("position", position), ("column", column),
            ("fraction", fraction), ("action", action), ("encoding", encoding), ("source", source.node),
            ("actionColumn", actionColumn.node), ("filter", filter.node), ("sourceGuard", sourceGuard.node),
            ("providerGuard", providerGuard.node), ("provider", provider.node), ("clause", clause.node),
            ("layout", layout.node),
            ("phone", phone.node), ("paths", paths.node),
          ] + formatConditions)
      )
    ])
  }

  // MARK: Values

  static let text: SchemaNode = ["type": "string", "pattern": #"^[^\u0000-\u001f\u007f]+$"#]

  static let id: SchemaNode = [
    "type": "string", "pattern": .text("^[A-Za-z0-9][A-Za-z0-9._-]{0,\(ProviderID.maximumLength - 1)}$"),
  ]

  static var country: SchemaNode { ["enum": .texts(RegionCode.all.map(\.rawValue).sorted())] }

  static let fraction: SchemaNode = ["type": "number", "minimum": 0, "maximum": 1]

  /// An array of what `item` says, with at least one element and none twice.
  static func list(_ item: SchemaNode) -> SchemaNode {
    ["type": "array", "items": item, "minItems": 1, "uniqueItems": true]
  }

  static func integer(_ range: ClosedRange<Int>) -> SchemaNode {
    var members: [(key: String, value: SchemaNode)] = [("type", "integer"), ("minimum", .int(range.lowerBound))]
    if range.upperBound < Int.max { members.append(("maximum", .int(range.upperBound))) }
    return .object(members)
  }

  static let bool: SchemaNode = ["type": "boolean"]

  // MARK: The plan itself

  static let plan = SchemaObject(
    keys: .plan,
    properties: [
      .init("schema", "The version of this language.", ["const": .int(Plan.schema)]),
      .init("name", "What stores and releases know the plan by.", .reference("text")),
      .init("title", "The app's name as a call screen shows it; the name unless stated.", .reference("text")),
      .init(
        "country", "The country whose national numbers sources hold unless they say otherwise.", .reference("country")),
      .init("sources", "The files that hold the rows.", ["type": "array", "items": .reference("source")]),
      .init(
        "providers", "The extensions in plan order, which is the settings order until it is changed.",
        ["type": "array", "items": .reference("provider"), "minItems": 1]),
      .init(
        "overlaps", "An entry that several providers claim: the first with room gets it, or each of them.",
        .cases(of: OverlapRule.self), standard: "collapse"),
      .init(
        "unclaimed", "Entries that no provider claims stop the plan, or identifications among them are dropped.",
        .cases(of: UnclaimedRule.self), standard: "error"),
      .init("phone", "The phone that loads the providers.", .reference("phone")),
      .init("paths", "The folders the plan works in, relative to the plan.", .reference("paths")),
      .init(
        "profile", "How shards are stored: fastest to write, or a fifth of the size.", .cases(of: ReleaseProfile.self),
        standard: "plain"),
      .init("keepReleases", "How many releases stay on disk for rollback.", integer(1...1000), standard: 3),
      .init(
        "maxPatternNumbers", "Numbers that one pattern or range of a source may come to.",
        integer(PlanDecoder.patternNumbers), standard: 10_000_000),
      .init(
        "warnAt", "The share of its limit from which a provider is called nearly full; 0.9 unless stated.", warnAt),
      .init(
        "dropLabelsOfBlocked", "Whether numbers that are blocked get no labels.", bool, standard: false),
      layouts,
    ],
    required: ["schema", "name", "providers"],
    rules: [
      .when(
        SchemaNode.requires("country").negated,
        [
          "properties": [
            "sources": ["items": .when(.states("numbersAre", ["national"]), .requires("country"))]
          ]
        ])
    ])

  static let phone = SchemaObject(
    keys: .phone,
    properties: [
      .init("profile", "The generation of the phone's system.", .cases(of: PhoneProfile.Name.self), standard: "ios18"),
      .init("country", "Where the phone is; the plan's country unless stated.", .reference("country")),
      .init("contacts", "A file with the phone's contacts.", .reference("text")),
      .init(
        "memoryLimit", "Bytes that a provider may take; lower than the profile's.",
        integer(1...PhoneProfile(.ios18).memoryLimit)),
      .init("contactsOverrideBlocks", "Whether a contact is exempt from blocks.", bool),
    ],
    rules: [
      .when(
        .states("profile", [PhoneProfile.Name.ios10.rawValue]),
        ["properties": ["memoryLimit": ["maximum": .int(PhoneProfile(.ios10).memoryLimit)]]])
    ])

  static let paths = SchemaObject(
    keys: .paths,
    properties: [
      .init("plugins", "Where provider libraries are dropped.", .reference("text"), standard: "Plugins"),
      .init("shards", "Where releases are published.", .reference("text"), standard: "shards"),
      .init("store", "What the phone holds.", .reference("text"), standard: ".shardctl"),
    ])
}
