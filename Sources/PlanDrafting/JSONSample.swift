internal import DirectorySources
internal import PositionedJSON

/// A JSON file: where its rows stand and what the first of them hold.
struct JSONSample {
  var records: String
  var rows: SampledRows

  /// Looks at the beginning of a JSON text, or at its lines.
  init(_ bytes: ArraySlice<UInt8>, isLines: Bool, isWhole: Bool) throws(JSONError) {
    var values: [JSONValue] = []
    var keys: [String]?
    records = ""
    if isLines {
      let lines = bytes.split(separator: 0x0A)
      for line in (isWhole ? lines : lines.dropLast()).prefix(SampledRows.limit)
      where !line.allSatisfy({ $0 <= 0x20 }) {
        values.append(try JSONDocument(Array(line)).root)
      }
    } else {
      let document = try JSONDocument(isWhole ? Array(bytes) : Self.closed(bytes))
      let found = Self.rows(of: document.root, path: "", depth: 0)
      records = found.path
      values = Array(found.value.elements.prefix(SampledRows.limit))
      if found.value.kind == .object {
        let members = Array(found.value.members.prefix(SampledRows.limit))
        values = members.map(\.value)
        keys = members.map(\.key)
      }
    }
    var order: [String] = []
    var cells: [String: [[String]]] = [:]
    func add(_ path: String, _ text: String, row: Int) {
      if cells[path] == nil {
        order.append(path)
        cells[path] = []
      }
      while (cells[path]?.count ?? 0) <= row { cells[path]?.append([]) }
      cells[path]?[row].append(text)
    }
    for (row, value) in values.enumerated() {
      if let keys { add("$key", keys[row], row: row) }
      if value.kind == .object {
        Self.forEachScalar(value, path: "", depth: 0) { add($0, $1, row: row) }
      } else if let text = Self.text(value) {
        add("$value", text, row: row)
      }
    }
    rows = SampledRows(
      columns: order.map { path in
        let title = path.split(separator: ".").last.map(String.init) ?? path
        var texts = cells[path] ?? []
        while texts.count < values.count { texts.append([]) }
        return SampledRows.Column(reference: .name(path), title: title.lowercased(), cells: texts)
      }, rows: values.count)
  }

  private static func forEachScalar(_ value: JSONValue, path: String, depth: Int, _ body: (String, String) -> Void) {
    if let text = text(value) {
      body(path, text)
    } else if depth < 5, value.kind == .object {
      for member in value.members {
        let name = member.key.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\.")
        forEachScalar(member.value, path: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1, body)
      }
    } else if depth < 5, value.kind == .array {
      for element in value.elements { forEachScalar(element, path: path, depth: depth + 1, body) }
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value.kind {
    case .object, .array: nil
    case .null: ""
    default: (value.string ?? value.verbatim).trimmedBlanks
    }
  }

  /// The container with the most rows: an array, or an object whose names are numbers.
  private static func rows(of value: JSONValue, path: String, depth: Int) -> (
    path: String, value: JSONValue, count: Int
  ) {
    if value.kind == .array { return (path, value, value.elements.count) }
    guard value.kind == .object else { return (path, value, 0) }
    let members = Array(value.members)
    let numbers = members.count { NumberShape.isNumber($0.key) }
    if members.count > 1, numbers * 10 >= members.count * 8 {
      return (path, value, members.count)
    }
    var best = (path: path, value: value, count: 0)
    guard depth < 4 else { return best }
    for member in members {
      let name = member.key.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\.")
      let found = rows(of: member.value, path: path.isEmpty ? name : "\(path).\(name)", depth: depth + 1)
      if found.count > best.count { best = found }
    }
    return best
  }

  /// The beginning of a JSON text up to the last row that is whole, with what is open closed.
  private static func closed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var stack: [UInt8] = []
    var isText = false
    var isEscaped = false
    var cut: (end: Int, stack: [UInt8])?
    for (index, byte) in zip(bytes.indices, bytes) {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isText = false
        }
        continue
      }
      switch byte {
      case 0x22: isText = true
      case 0x5B, 0x7B: stack.append(byte == 0x5B ? 0x5D : 0x7D)
      case 0x5D, 0x7D: if !stack.isEmpty { stack.removeLast() }
      case 0x2C: if stack.count <= cut?.stack.count ?? Int.max { cut = (index, stack) }
      default: break
      }
    }
    guard let cut else { return Array(bytes) }
    return Array(bytes[..<cut.end]) + cut.stack.reversed()
  }
}
