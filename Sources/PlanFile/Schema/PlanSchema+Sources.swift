internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering

extension PlanSchema {
  static var position: SchemaNode { integer(PlanDecoder.positions) }

  static let column: SchemaNode = ["anyOf": [.reference("text"), .reference("position")]]

  static let action: SchemaNode = [
    "anyOf": [.cases(of: EntryAction.self), .reference("actionColumn")]
  ]

  /// Names of encodings are read in letters of any case.
  static var encoding: SchemaNode {
    [
      "anyOf": [
        .cases(of: TextEncoding.self),
        [
          "type": "string",
          "pattern": .text("^(\(TextEncoding.allCases.map { anyCase($0.rawValue) }.joined(separator: "|")))$"),
        ],
      ]
    ]
  }

  /// A pattern for `text` in letters of any case; everything but letters and digits stands for itself.
  private static func anyCase(_ text: String) -> String {
    text.map { letter in
      letter.isLetter ? "[\(letter.uppercased())\(letter.lowercased())]" : letter == "." ? #"\."# : "\(letter)"
    }.joined()
  }

  static let source = SchemaObject(
    keys: .source,
    properties: [
      .init("id", "The name of the source in claims and reports.", .reference("id")),
      .init(
        "file", "A path, a pattern of file names, or several of them; relative to the plan.",
        ["anyOf": [.reference("text"), list(.reference("text"))]]),
      .init("expectFiles", "How many files there must be.", integer(1...Int.max)),
      .init(
        "format", "How the bytes are laid out; by the extension unless stated.", .cases(of: SourceFormat.self)),
      .init("encoding", "The encoding of the text; UTF-8, or what a mark says, unless stated.", .reference("encoding")),
      .init("separator", "Between the fields of a csv file; found out unless stated.", .cases(of: FieldSeparator.self)),
      .init("header", "Whether the first line names the columns.", bool, standard: true),
      .init("records", "Where the rows of a json file stand: names with dots between them.", .reference("text")),
      .init("number", "The column with the number.", .reference("column")),
      .init("pattern", "The column with a number pattern, in place of a number.", .reference("column")),
      .init("from", "The column with the first number of a range.", .reference("column")),
      .init("to", "The column with the last number of a range.", .reference("column")),
      .init(
        "label", "The column with the label, or text with columns in braces.",
        [
          "anyOf": [
            ["allOf": [.reference("text"), ["pattern": #"^([^{}]|\{\{|\}\}|\{[^{}]+\})+$"#]]], .reference("position"),
          ]
        ]),
      .init("area", "The column with the area.", .reference("column")),
      .init("score", "The column with the score, a number.", .reference("column")),
      .init("action", "What rows ask for, or the column that says.", .reference("action"), standard: "identify"),
      .init(
        "where", "Conditions that rows must meet to be taken.",
        [
          "anyOf": [.reference("filter"), ["type": "array", "items": .reference("filter"), "minItems": 1]]
        ]),
      .init(
        "country", "The country whose national numbers these are; the plan's unless stated.", .reference("country")),
      .init(
        "numbersAre", "What digits without a + mean.", .cases(of: NumberInterpretation.self), standard: "auto"),
      .init(
        "internationalPrefixes", "Digits dialled in front of a calling code; the country's own unless stated.",
        list(["type": "string", "pattern": "^[0-9]{1,8}$"])),
      .init(
        "extension", "What becomes of an extension.", .cases(of: NormalisationOptions.ExtensionHandling.self),
        standard: "drop"),
      .init(
        "numberRemarks", "What becomes of words behind a number.",
        .cases(of: NormalisationOptions.RemarkHandling.self), standard: "refuse"),
      .init(
        "numberSeparator", "What stands between the numbers of one cell.",
        ["type": "string", "pattern": "^[^0-9+]+$", "maxLength": 8]),
      .init("shortCodes", "Whether 3 to 6 digits stand for themselves.", bool, standard: false),
      .init("aliases", "Whether every form of a number that has several is added.", bool, standard: false),
      .init(
        "maxPatternNumbers", "Numbers that one pattern or range may come to; the plan's unless stated.",
        integer(PlanDecoder.patternNumbers)),
      .init(
        "maxLabelBytes", "UTF-8 bytes of a label; a longer one is cut and ends in an ellipsis.",
        integer(PlanDecoder.labelBytes), standard: .int(PlanDecoder.labelBytes.upperBound)),
      .init("areaMap", "A file of lines: value, tab, area.", .reference("text")),
      .init(
        "repeats", "Which label a number gets that several rows name differently.", .cases(of: RepeatRule.self),
        standard: "first"),
      .init("guard", "How far the source may differ from the last release.", .reference("sourceGuard")),
      .init("onBadRow", "What a refused row does to the run.", .cases(of: BadRowRule.self), standard: "skip"),
      .init("allowEmpty", "Whether no rows are fine.", bool, standard: false),
    ],
    required: ["id", "file"],
    rules: columnRules + actionRules + formatRules)

  static let actionColumn = SchemaObject(
    keys: .actionColumn,
    properties: [
      .init("column", "The column that decides.", .reference("column")),
      .init(
        "values", "Cell texts and their actions; all others identify.",
        ["type": "object", "minProperties": 1, "additionalProperties": .cases(of: EntryAction.self)]),
    ],
    required: ["column", "values"])

  private static let cell: SchemaNode = ["type": "string", "pattern": #"^([^ \t]([\s\S]*[^ \t])?)?$"#]

  static let filter = SchemaObject(
    keys: .filter,
    properties: [
      .init("column", "The column that is looked at.", .reference("column")),
      .init("equals", "The text of the cell.", cell),
      .init("in", "The texts of which the cell has one.", list(cell)),
    ],
    required: ["column"],
    rules: [["oneOf": [.requires("equals"), .requires("in")]]])

  static let sourceGuard = SchemaObject(
    keys: .sourceGuard,
    properties: [
      .init("shrink", "How many fewer may be used than in the last release: 0.3 for 30 %.", .reference("fraction")),
      .init(
        "growth", "How many more may be used than in the last release: 0.5 for 50 %.",
        ["type": "number", "minimum": 0]),
      .init("rejected", "How many of those read may be refused: 0.05 for 5 %.", .reference("fraction")),
    ],
    rules: [.requiresAny(PlanKeys.sourceGuard.known)])

  // MARK: What holds between keys

  private static let columnRules: [SchemaNode] = [
    SchemaNode.requires("number", "pattern").negated, SchemaNode.requires("number", "from").negated,
    SchemaNode.requires("number", "to").negated, SchemaNode.requires("pattern", "from").negated,
    SchemaNode.requires("pattern", "to").negated,
    ["dependentRequired": ["from": ["to"], "to": ["from"], "areaMap": ["area"]]],
    .when(.requires("from"), .forbids(["numberSeparator"])),
    .when(
      ["required": ["header"], "properties": ["header": ["const": false]]],
      eachColumn(["type": "integer"], label: ["anyOf": [["type": "integer"], ["type": "string", "pattern": "[{}]"]]]),
      otherwise: eachColumn(["type": "string"], label: ["type": "string"])),
    .when(.states("repeats", [RepeatRule.highestScore.rawValue]), .requires("score")),
  ]

  /// `shape` for the value of every key that names a column; `label` for a label that is text.
  private static func eachColumn(_ shape: SchemaNode, label: SchemaNode) -> SchemaNode {
    let columns = ["number", "pattern", "from", "to", "area", "score"]
    return [
      "properties": .object(
        columns.map { ($0, shape) } + [
          ("label", label), ("action", ["properties": ["column": shape]]),
          (
            "where",
            ["properties": ["column": shape], "items": ["properties": ["column": shape]]]
          ),
        ])
    ]
  }

  private static let actionRules: [SchemaNode] = [
    .when(.states("action", [EntryAction.block.rawValue]), .forbids(["label"])),
    .when(
      .states("action", [EntryAction.allow.rawValue, EntryAction.remove.rawValue]),
      .forbids(["label", "area", "score"])),
    .when(
      .states("action", [EntryAction.block, .allow, .remove].map(\.rawValue)), .forbids(["maxLabelBytes", "repeats"])),
  ]

  // MARK: Formats

  /// Definitions that hold for a source whose format is known from the plan: stated, or by the extension of a file.
  static var formatConditions: [(key: String, value: SchemaNode)] {
    SourceFormat.allCases.map { format in
      let stated = SchemaNode.states("format", [format.rawValue])
      guard let endings = SourceFormat.endings(of: format) else { return (condition(format), stated) }
      let pattern = "\\.(\(endings.map(anyCase).joined(separator: "|")))(\\.([Gg][Zz]|[Xx][Zz]|[Zz][Ss][Tt]))?$"
      let named: SchemaNode = ["type": "string", "pattern": .text(pattern)]
      let byName: SchemaNode = [
        "not": .requires("format"),
        "required": ["file"],
        "properties": ["file": ["anyOf": [named, ["type": "array", "items": named]]]],
      ]
      return (condition(format), ["anyOf": [stated, byName]])
    }
  }

  private static func condition(_ format: SourceFormat) -> String { "is-\(format.rawValue)" }

  private static var formatRules: [SchemaNode] {
    SourceFormat.allCases.map { format in
      var rules: [SchemaNode] = [.forbids(format.keysWithoutEffect)]
      switch format {
      case .tsv, .csv, .json, .jsonl:
        rules.append(.requiresAny(["number", "pattern", "from", "to"]))
        rules.append(.when(labels, .requires("label")))
      case .numbers, .patterns:
        rules.append(.states("action", [EntryAction.block, .allow, .remove].map(\.rawValue)))
      case .twoGIS:
        rules.append(.mayState("action", EntryAction.allCases.map(\.rawValue)))
      case .vcard: break
      }
      if format != .patterns {
        rules.append(.when(.requires("maxPatternNumbers"), .requiresAny(["pattern", "from", "to"])))
      }
      return .when(.reference(condition(format)), ["allOf": .list(rules)])
    }
  }

  /// That rows identify: the action says so, or says nothing.
  private static let labels: SchemaNode = .mayState("action", [EntryAction.identify, .both].map(\.rawValue))
}
