internal import CallDirectory
internal import DirectorySources
internal import PositionedJSON

extension PlanDecoder {
  /// A column, or text with columns in braces.
  func decodeLabel(_ value: JSONValue?, _ source: SourceDescription) -> LabelRule? {
    guard let value else { return nil }
    guard let text = value.string, text.utf8.contains(where: { $0 == 0x7B || $0 == 0x7D }) else {
      return column(value, source).map(LabelRule.column)
    }
    guard problems.read(try value.asText()) != nil else { return nil }
    return problems.read(try template(value, text, hasHeader: source.hasHeader)).map(LabelRule.template)
  }

  /// The pieces of `{name}, {city}`. A doubled brace is a brace.
  private func template(_ value: JSONValue, _ text: String, hasHeader: Bool) throws(JSONError) -> [LabelPiece] {
    let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    let bytes = Array(text.utf8)
    var pieces: [LabelPiece] = []
    var plain: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == opening || byte == closing else {
        plain.append(byte)
        position += 1
        continue
      }
      if position + 1 < bytes.count, bytes[position + 1] == byte {
        plain.append(byte)
        position += 2
        continue
      }
      guard byte == opening else {
        throw value.error(
          atByte: position, "expected \"{\" and a column before \"}\", found none", hint: "write \"}}\" for a brace")
      }
      guard let end = bytes[(position + 1)...].firstIndex(where: { $0 == opening || $0 == closing }),
        bytes[end] == closing
      else {
        throw value.error(
          atByte: position, "expected \"}\" behind the column that begins here, found none",
          hint: "write \"{{\" for a brace")
      }
      let name = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
      if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
      plain = []
      pieces.append(.column(try reference(name, value, position + 1, hasHeader: hasHeader)))
      position = end + 1
    }
    if !plain.isEmpty { pieces.append(.text(String(decoding: plain, as: UTF8.self))) }
    guard pieces.contains(where: { if case .column = $0 { true } else { false } }) else {
      throw value.mismatch("at least one column in braces", hint: "for example \"{name}, {city}\"")
    }
    return pieces
  }

  private func reference(
    _ name: String, _ value: JSONValue, _ position: Int, hasHeader: Bool
  ) throws(JSONError) -> ColumnReference {
    guard !name.isEmpty else {
      throw value.error(atByte: position, "expected a column between the braces, found none")
    }
    if hasHeader { return .name(name) }
    guard let number = Int(name), Self.positions.contains(number) else {
      throw value.error(
        atByte: position, "expected the position of a column, from 1, found \"\(name)\"",
        hint: "column names need a header line; remove \"header\": false")
    }
    return .position(number)
  }

  /// Refuses columns that the action leaves without effect, and an action that cannot do without a label (B-133).
  func checkLabels(
    _ object: JSONObjectReader, _ action: EntryAction, at place: JSONValue, _ source: SourceDescription
  ) {
    switch action {
    case .identify, .both:
      switch source.format {
      case .numbers, .patterns:
        problems.add(
          place.error(
            "expected the action \"block\", \"allow\" or \"remove\" for a list of \(source.format?.rawValue ?? ""), "
              + "found \"\(action.rawValue)\": it has no labels"))
      case .tsv, .csv, .json, .jsonl:
        guard object["label"] == nil else { return }
        problems.add(
          object.value.error(
            "expected the key \"label\" for the action \"\(action.rawValue)\", found none",
            hint: action == .identify ? "to block without a label write \"action\": \"block\"" : nil))
      // These have names of their own.
      case .vcard, .twoGIS, nil: break
      }
    case .block:
      guard let label = object["label"], source.format?.lackOfColumns == nil else { return }
      problems.add(
        label.error(
          "expected no label for the action \"block\", which shows none",
          hint: "write \"action\": \"both\" to block and to identify, or remove \"label\""))
    case .allow, .remove:
      for key in ["label", "area", "score"] {
        guard let value = object[key], source.format?.lackOfColumns == nil else { continue }
        problems.add(
          value.error(
            "expected no \(key) for the action \"\(action.rawValue)\", which adds no entries",
            hint: "remove \"\(key)\""))
      }
    }
  }

  /// Whether rows may carry labels that anything shows.
  func hasLabels(_ object: JSONObjectReader, _ source: SourceDescription) -> Bool {
    if object["label"] != nil { return true }
    switch source.action {
    case .fixed(let action):
      guard action == .identify || action == .both else { return false }
      return source.format == .vcard || source.format == .twoGIS || source.format == nil
    case .column: return source.format == .vcard || source.format == nil
    }
  }
}
