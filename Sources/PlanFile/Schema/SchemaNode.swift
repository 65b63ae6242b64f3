internal import PositionedJSON

/// A JSON value of the schema, written as Swift literals; members keep their order.
indirect enum SchemaNode {
  case bool(Bool)
  case int(Int)
  case text(String)
  case list([SchemaNode])
  case object([(key: String, value: SchemaNode)])

  /// Texts, for `enum` and `required`.
  static func texts(_ texts: [String]) -> SchemaNode { .list(texts.map(SchemaNode.text)) }

  /// The raw values of all cases, for `enum`.
  static func cases<Choice: RawRepresentable & CaseIterable>(of type: Choice.Type) -> SchemaNode
  where Choice.RawValue == String {
    ["enum": texts(Choice.allCases.map(\.rawValue))]
  }

  /// A definition of the schema.
  static func reference(_ name: String) -> SchemaNode { ["$ref": .text("#/$defs/\(name)")] }

  /// That all of `keys` are there.
  static func requires(_ keys: String...) -> SchemaNode { ["required": texts(keys)] }

  /// That at least one of `keys` is there.
  static func requiresAny(_ keys: [String]) -> SchemaNode {
    ["anyOf": .list(keys.map { .object([("required", [.text($0)])]) })]
  }

  /// That none of `keys` is there.
  static func forbids(_ keys: [String]) -> SchemaNode {
    ["properties": .object(keys.map { (key: $0, value: false) })]
  }

  /// That `key` is there and has one of `values`.
  static func states(_ key: String, _ values: [String]) -> SchemaNode {
    ["required": [.text(key)], "properties": .object([(key, .object([("enum", texts(values))]))])]
  }

  /// That `key` is absent or has one of `values`.
  static func mayState(_ key: String, _ values: [String]) -> SchemaNode {
    ["properties": .object([(key, .object([("enum", texts(values))]))])]
  }

  /// `then` where `condition` holds, `other` elsewhere.
  static func when(_ condition: SchemaNode, _ then: SchemaNode, otherwise other: SchemaNode? = nil) -> SchemaNode {
    .object([("if", condition), ("then", then)] + (other.map { [("else", $0)] } ?? []))
  }

  /// Not this.
  var negated: SchemaNode { ["not": self] }

  /// The members of this object with `more` behind them.
  func adding(_ more: [(key: String, value: SchemaNode)]) -> SchemaNode {
    guard case .object(let members) = self else { return self }
    return .object(members + more)
  }

  /// Writes the value; objects with nothing but plain values stand on one line.
  func write(to json: inout JSONWriter) {
    switch self {
    case .bool(let value): json.bool(value)
    case .int(let value): json.int(value)
    case .text(let value): json.string(value)
    case .list(let values):
      json.beginArray(inline: values.allSatisfy(\.isFlat))
      for value in values { value.write(to: &json) }
      json.endArray()
    case .object(let members):
      json.beginObject(inline: members.allSatisfy(\.value.isFlat))
      for (key, value) in members {
        json.key(key)
        value.write(to: &json)
      }
      json.endObject()
    }
  }

  private var isFlat: Bool {
    switch self {
    case .bool, .int, .text: true
    case .list(let values): values.allSatisfy(\.isPlain)
    case .object: false
    }
  }

  private var isPlain: Bool {
    switch self {
    case .bool, .int, .text: true
    case .list, .object: false
    }
  }
}

extension SchemaNode: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(integerLiteral value: Int) { self = .int(value) }
  init(stringLiteral value: String) { self = .text(value) }
  init(arrayLiteral elements: SchemaNode...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, SchemaNode)...) { self = .object(elements.map { ($0.0, $0.1) }) }
}
