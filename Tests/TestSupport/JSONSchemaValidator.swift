internal import Foundation
public import PositionedJSON

/// A validator for JSON Schema (draft 2020-12) that knows what the schemas of this project use, and refuses a schema with
/// any other keyword: a rule that is not understood must not look like one that holds.
public struct JSONSchemaValidator {
  /// A schema that the validator cannot apply.
  public struct SchemaError: Error, CustomStringConvertible {
    /// Where in the schema, and what.
    public var description: String
  }

  private let root: JSONValue
  /// By their text: to make one costs more than to use it.
  private var expressions: [String: NSRegularExpression] = [:]

  /// A validator for the schema `document`; every part of it is checked for keywords that are not known.
  public init(_ document: [UInt8]) throws {
    root = try JSONDocument(document, file: nil).root
    try check(root)
    try prepare(root)
  }

  private mutating func prepare(_ schema: JSONValue) throws {
    for member in schema.members {
      if member.key == "pattern", let text = member.value.string {
        expressions[text] = try NSRegularExpression(pattern: text)
      }
      try prepare(member.value)
    }
    for element in schema.elements { try prepare(element) }
  }

  /// What is wrong with `value`, one line each; empty when it is valid.
  public func errors(of value: JSONValue) throws -> [String] { try errors(value, root) }

  // MARK: Keywords

  private static let annotations: Set = ["$schema", "$defs", "title", "description", "default"]
  private static let schemas: Set = ["items", "contains", "additionalProperties", "not", "if", "then", "else"]
  private static let lists: Set = ["allOf", "anyOf", "oneOf"]
  private static let maps: Set = ["properties", "$defs"]
  private static let others: Set = [
    "$ref", "type", "enum", "const", "required", "dependentRequired", "minItems", "maxItems", "uniqueItems",
    "maxLength",
    "pattern", "minimum", "maximum", "minProperties",
  ]

  private func check(_ schema: JSONValue) throws {
    if schema.kind == .bool { return }
    guard schema.kind == .object else { throw SchemaError(description: "\(schema.keyPath): no schema") }
    for member in schema.members {
      let (key, value) = (member.key, member.value)
      if Self.schemas.contains(key) { try check(value) }
      if Self.lists.contains(key) {
        guard value.elements.count > 0 else { throw SchemaError(description: "\(value.keyPath): no schemas") }
        for element in value.elements { try check(element) }
      }
      if Self.maps.contains(key) { for member in value.members { try check(member.value) } }
      let isKnown = [Self.annotations, Self.schemas, Self.lists, Self.maps, Self.others].contains { $0.contains(key) }
      guard isKnown else { throw SchemaError(description: "\(value.keyPath): unknown keyword") }
      if key == "$ref" { _ = try target(value) }
    }
  }

  private func target(_ reference: JSONValue) throws -> JSONValue {
    let path = reference.string ?? ""
    guard path.hasPrefix("#/$defs/"), let target = root["$defs"]?[String(path.dropFirst("#/$defs/".count))] else {
      throw SchemaError(description: "\(reference.keyPath): no definition \(path)")
    }
    return target
  }

  // MARK: Validation

  private func errors(_ value: JSONValue, _ schema: JSONValue) throws -> [String] {
    if let verdict = schema.bool { return verdict ? [] : ["\(place(value)): not allowed"] }
    var errors: [String] = []
    for member in schema.members {
      guard let found = try problem(value, member.key, member.value, schema) else { continue }
      errors += found
    }
    return errors
  }

  private func isValid(_ value: JSONValue, _ schema: JSONValue) throws -> Bool { try errors(value, schema).isEmpty }

  private func place(_ value: JSONValue) -> String { value.keyPath.isEmpty ? "the document" : value.keyPath }

  /// What keyword `key` with `rule` says about `value`; nil for an annotation.
  private func problem(
    _ value: JSONValue, _ key: String, _ rule: JSONValue, _ schema: JSONValue
  ) throws -> [String]? {
    // Key paths are costly, and most rules hold or are asked about alternatives.
    let failed = { ["\(place(value)): \(key) \(rule.verbatim.prefix(200))"] }
    switch key {
    case "$ref": return try errors(value, target(rule))
    case "allOf": return try rule.elements.flatMap { try errors(value, $0) }
    case "anyOf": return try rule.elements.contains { try isValid(value, $0) } ? [] : failed()
    case "oneOf": return try rule.elements.filter { try isValid(value, $0) }.count == 1 ? [] : failed()
    case "not": return try isValid(value, rule) ? failed() : []
    case "if":
      guard let next = try schema[isValid(value, rule) ? "then" : "else"] else { return [] }
      return try errors(value, next)
    case "type": return Self.hasType(value, rule) ? [] : failed()
    case "enum": return rule.elements.contains { Self.text($0) == Self.text(value) } ? [] : failed()
    case "const": return Self.text(rule) == Self.text(value) ? [] : failed()
    case "properties", "required", "dependentRequired", "additionalProperties", "minProperties":
      return value.kind == .object ? try objectProblem(value, key, rule, schema, failed) : []
    case "items", "contains", "minItems", "maxItems", "uniqueItems":
      return value.kind == .array ? try arrayProblem(value, key, rule, failed) : []
    case "pattern", "maxLength":
      return value.string.map { stringHolds($0, key, rule) } ?? true ? [] : failed()
    case "minimum", "maximum":
      guard value.kind == .number, let number = value.double, let bound = rule.double else { return [] }
      return (key == "minimum" ? number >= bound : number <= bound) ? [] : failed()
    default: return nil
    }
  }

  private func objectProblem(
    _ value: JSONValue, _ key: String, _ rule: JSONValue, _ schema: JSONValue, _ failed: () -> [String]
  ) throws -> [String] {
    switch key {
    case "properties":
      return try rule.members.flatMap { member in
        try value[member.key].map { try errors($0, member.value) } ?? []
      }
    case "required":
      return rule.elements.allSatisfy { $0.string.map { value[$0] != nil } ?? false } ? [] : failed()
    case "dependentRequired":
      let holds = rule.members.allSatisfy { member in
        value[member.key] == nil || member.value.elements.allSatisfy { $0.string.map { value[$0] != nil } ?? false }
      }
      return holds ? [] : failed()
    case "minProperties": return value.members.count >= rule.integer ?? 0 ? [] : failed()
    default:
      let known = Set(schema["properties"]?.members.map(\.key) ?? [])
      return try value.members.filter { !known.contains($0.key) }.flatMap { try errors($0.value, rule) }
    }
  }

  private func arrayProblem(_ value: JSONValue, _ key: String, _ rule: JSONValue, _ failed: () -> [String]) throws
    -> [String]
  {
    switch key {
    case "items": return try value.elements.flatMap { try errors($0, rule) }
    case "contains": return try value.elements.contains { try isValid($0, rule) } ? [] : failed()
    case "minItems": return value.elements.count >= rule.integer ?? 0 ? [] : failed()
    case "maxItems": return value.elements.count <= rule.integer ?? Int.max ? [] : failed()
    default:
      let texts = value.elements.map(Self.text)
      return rule.bool != true || Set(texts).count == texts.count ? [] : failed()
    }
  }

  private func stringHolds(_ text: String, _ key: String, _ rule: JSONValue) -> Bool {
    if key == "maxLength" { return text.unicodeScalars.count <= rule.integer ?? Int.max }
    guard let expression = rule.string.flatMap({ expressions[$0] }) else { return false }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }

  private static func hasType(_ value: JSONValue, _ rule: JSONValue) -> Bool {
    let names = rule.kind == .array ? rule.elements.compactMap(\.string) : [rule.string].compactMap { $0 }
    return names.contains { name in
      switch name {
      case "string": value.kind == .string
      case "boolean": value.kind == .bool
      case "object": value.kind == .object
      case "array": value.kind == .array
      case "null": value.kind == .null
      case "number": value.kind == .number
      case "integer": value.kind == .number && value.double.map { $0 == $0.rounded() } ?? false
      default: false
      }
    }
  }

  /// A text that two values have in common only when they are equal as JSON.
  private static func text(_ value: JSONValue) -> String {
    switch value.kind {
    case .null, .bool: value.verbatim
    case .number: "\(value.double ?? .nan)"
    case .string: "\"\(value.string ?? "")\""
    case .array: "[" + value.elements.map(text).joined(separator: ",") + "]"
    case .object: "{" + value.members.map { "\($0.key):\(text($0.value))" }.sorted().joined(separator: ",") + "}"
    }
  }
}
