internal import CallDirectory
internal import DirectorySources
internal import PositionedJSON

extension SourceFormat {
  /// Why a format has no columns that a plan could name; nil for one that has.
  var lackOfColumns: String? {
    switch self {
    case .numbers: "a list with one number per line has no columns"
    case .patterns: "a list with one pattern per line has no columns"
    case .twoGIS: "a record of the format \"2gis\" is a number and a name and has no columns"
    case .tsv, .csv, .json, .jsonl, .vcard: nil
    }
  }

  /// Whether the first line may name the columns.
  var isTable: Bool { self == .tsv || self == .csv }
}

extension PlanDecoder {
  /// Number, label, area, score and filters. Without a known format nothing is said about what is missing.
  func decodeColumns(_ object: JSONObjectReader, into source: inout SourceDescription) {
    if let reason = source.format?.lackOfColumns {
      for key in ["number", "pattern", "from", "to", "label", "area", "score", "where"] {
        guard let value = object[key] else { continue }
        problems.add(value.error(reason, hint: "remove \"\(key)\""))
      }
      return
    }
    source.hasHeader = problems.read(try object["header"]?.asBool()) ?? true
    // Of a format without header the key is an error of its own.
    if let format = source.format, !format.isTable { source.hasHeader = true }
    source.numbers = decodeNumbers(object, source)
    source.label = decodeLabel(object["label"], source)
    source.area = column(object["area"], source)
    source.score = column(object["score"], source)
    source.filters = decodeFilters(object["where"], source)
  }

  /// `number`, `pattern`, or `from` and `to`.
  private func decodeNumbers(_ object: JSONObjectReader, _ source: SourceDescription) -> NumberColumns? {
    let number = column(object["number"], source)
    let pattern = column(object["pattern"], source)
    let from = column(object["from"], source)
    let to = column(object["to"], source)
    let ways = ["number", "pattern", "from", "to"].filter { object[$0] != nil }
    if let first = ways.first {
      // The first one stands; what contradicts it is pointed at.
      let partner = first == "from" ? "to" : nil
      for key in ways.dropFirst() where key != partner {
        guard let value = object[key] else { continue }
        problems.add(
          value.error(
            "expected one of \"number\", \"pattern\", and \"from\" with \"to\", found \"\(key)\" beside \"\(first)\"",
            hint: "remove one of the two"))
      }
    }
    switch ways.first {
    case "number": return number.map(NumberColumns.number)
    case "pattern":
      refuseInCards(object["pattern"], "pattern", source)
      return pattern.map(NumberColumns.pattern)
    case "from", "to":
      for (key, other) in [("from", "to"), ("to", "from")] {
        refuseInCards(object[key], key, source)
        guard let value = object[key], object[other] == nil else { continue }
        problems.add(
          value.error(
            "expected \"\(other)\" beside \"\(key)\", found none",
            hint: "a range has a first and a last number; for single numbers write \"number\""))
      }
      guard let from, let to else { return nil }
      return .range(from: from, to: to)
    default:
      // A vCard's numbers are its TEL; an unknown format may have no columns at all.
      if let format = source.format, format != .vcard { _ = problems.read(try object.required("number")) }
      return nil
    }
  }

  private func refuseInCards(_ value: JSONValue?, _ key: String, _ source: SourceDescription) {
    guard let value, source.format == .vcard else { return }
    problems.add(
      value.error("\"\(key)\" has no effect: a vCard holds telephone numbers, no ranges", hint: "remove \"\(key)\""))
  }

  /// A column by name, or by position in a table without header.
  func column(_ value: JSONValue?, _ source: SourceDescription) -> ColumnReference? {
    guard let value else { return nil }
    let mayCount = source.format?.isTable ?? true
    switch (value.kind, source.hasHeader) {
    case (.string, true):
      return problems.read(try value.asText()).map(ColumnReference.name)
    case (.number, false):
      return problems.read(try value.asInt(in: Self.positions)).map { .position($0) }
    case (_, true):
      let hint = value.kind == .number && mayCount ? "column positions need \"header\": false" : nil
      problems.add(value.mismatch("the name of a column", hint: hint))
    case (_, false):
      let position = value.string.flatMap { Int($0) }.flatMap { Self.positions.contains($0) ? $0 : nil }
      let hint =
        position.map { "write \($0) without quotes" }
        ?? (value.kind == .string ? "column names need a header line; remove \"header\": false" : nil)
      problems.add(value.mismatch("the position of a column, from 1", hint: hint))
    }
    return nil
  }

  /// Columns by position, from 1.
  static let positions = 1...100_000

  // MARK: Filters

  /// One condition or several, all of which must hold.
  private func decodeFilters(_ value: JSONValue?, _ source: SourceDescription) -> [RowFilter] {
    guard let value else { return [] }
    switch value.kind {
    case .object: return [decodeFilter(value, source)].compactMap { $0 }
    case .array:
      if value.elements.count == 0 { problems.add(value.mismatch("at least one condition")) }
      return value.elements.compactMap { decodeFilter($0, source) }
    default:
      problems.add(value.mismatch("a condition or an array of conditions", hint: Self.filterExample))
      return []
    }
  }

  private static let filterExample = "for example { \"column\": \"status\", \"equals\": \"open\" }"

  private func decodeFilter(_ value: JSONValue, _ source: SourceDescription) -> RowFilter? {
    guard let object = problems.object(value, .filter) else { return nil }
    let column = column(problems.read(try object.required("column")), source)
    let values: [String]
    switch (object["equals"], object["in"]) {
    case (let text?, nil): values = [filterText(text)].compactMap { $0 }
    case (nil, let list?):
      guard let elements = problems.read(try list.asArray()) else { return nil }
      if elements.count == 0 { problems.add(list.mismatch("at least one text")) }
      values = elements.compactMap(filterText)
      problems.refuseRepeats(elements.compactMap { element in element.string.map { ($0, element) } }, "text")
    case (nil, nil):
      problems.add(value.error("expected \"equals\" or \"in\", found neither", hint: Self.filterExample))
      return nil
    case (_?, let list?):
      problems.add(
        list.error("expected one of \"equals\" and \"in\", found both", hint: "write all texts into \"in\""))
      return nil
    }
    return column.map { RowFilter(column: $0, values: values) }
  }

  /// A cell's text, which may be empty. Cells are compared without the blanks around them.
  private func filterText(_ value: JSONValue) -> String? {
    guard let text = value.string else {
      let isPlain = value.kind == .number || value.kind == .bool
      problems.add(value.mismatch("a cell's text", hint: isPlain ? "write \"\(value.verbatim)\"" : nil))
      return nil
    }
    if Self.hasBlanksAround(text) {
      problems.add(value.mismatch("a text without blanks around it", hint: Self.blanksHint))
    }
    return text
  }

  private static let blanksHint = "cells are compared without theirs"

  private static func hasBlanksAround(_ text: String) -> Bool {
    let isBlank: (UInt8?) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    return isBlank(text.utf8.first) || isBlank(text.utf8.last)
  }

  // MARK: Action

  func decodeAction(_ object: JSONObjectReader, into source: inout SourceDescription) {
    guard let value = object["action"] else {
      checkLabels(object, .identify, at: object.value, source)
      return
    }
    switch value.kind {
    case .string:
      guard let action = problems.read(try value.asCase(of: EntryAction.self)) else { return }
      source.action = .fixed(action)
      checkLabels(object, action, at: value, source)
    case .object:
      guard let rule = problems.object(value, .actionColumn) else { return }
      if let reason = source.format?.lackOfColumns {
        problems.add(value.error(reason, hint: "state one action"))
        return
      }
      let column = column(problems.read(try rule.required("column")), source)
      let values = decodeActionValues(problems.read(try rule.required("values")))
      if let column { source.action = .column(column, values: values) }
    default:
      let names = JSONValue.list(EntryAction.allCases.map(\.rawValue))
      problems.add(value.mismatch("\(names), or an object with \"column\" and \"values\""))
    }
  }

  private func decodeActionValues(_ value: JSONValue?) -> [String: EntryAction] {
    guard let value, let object = problems.read(try value.asObject()) else { return [:] }
    if object.value.members.count == 0 { problems.add(value.mismatch("at least one cell text with its action")) }
    var actions: [String: EntryAction] = [:]
    for member in object.value.members {
      if Self.hasBlanksAround(member.key) {
        problems.add(
          member.keyError(
            "expected a text without blanks around it, found \"\(member.key)\"", hint: Self.blanksHint))
      }
      if let action = problems.read(try member.value.asCase(of: EntryAction.self)) { actions[member.key] = action }
    }
    return actions
  }
}
