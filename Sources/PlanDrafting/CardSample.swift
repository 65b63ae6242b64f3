internal import DirectorySources

/// The first vCards of a file: what a plan may name of them.
enum CardSample {
  private static let parts: [String: [(part: Int, name: String)]] = [
    "ADR": [(3, "ADR.locality"), (4, "ADR.region"), (6, "ADR.country")], "ORG": [(0, "ORG.name")],
    "CATEGORIES": [(0, "CATEGORIES")], "TEL": [(0, "TEL")], "FN": [(0, "FN")],
  ]
  private static let names = ["TEL", "FN", "ORG.name", "CATEGORIES", "ADR.locality", "ADR.region", "ADR.country"]

  /// The properties of the cards in `text` as columns, those that no card has left out.
  static func rows(_ text: String) -> SampledRows {
    var cells = [[[String]]](repeating: [], count: names.count)
    var rows = 0
    for line in text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let head = line[..<colon].split(separator: ";").first?.split(separator: ".").last.map { $0.uppercased() } ?? ""
      if head == "BEGIN" {
        guard rows < SampledRows.limit else { break }
        rows += 1
        for index in cells.indices { cells[index].append([]) }
      }
      guard rows > 0, let wanted = parts[head] else { continue }
      let value = line[line.index(after: colon)...]
      let pieces = head == "TEL" ? [value] : value.split(separator: ";", omittingEmptySubsequences: false)
      for (part, name) in wanted where part < pieces.count && !pieces[part].isEmpty {
        if let index = names.firstIndex(of: name) { cells[index][rows - 1].append(String(pieces[part]).trimmedBlanks) }
      }
    }
    let columns = zip(names, cells).map { name, cells in
      SampledRows.Column(
        reference: .name(name), title: name.split(separator: ".").last.map { $0.lowercased() } ?? "", cells: cells)
    }
    return SampledRows(columns: columns.filter { !$0.texts.isEmpty }, rows: rows)
  }
}

/// The first records of a 2GIS file.
enum RecordSample {
  static func rows(_ bytes: ArraySlice<UInt8>) -> SampledRows {
    var numbers: [[String]] = []
    var names: [[String]] = []
    var position = bytes.startIndex
    while numbers.count < SampledRows.limit, position + 10 <= bytes.endIndex {
      let length = Int(bytes[position]) | Int(bytes[position + 1]) << 8
      guard length >= 8, position + 2 + length <= bytes.endIndex else { break }
      let number = bytes[(position + 2)..<(position + 10)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      numbers.append(["+\(number)"])
      names.append([String(decoding: bytes[(position + 10)..<(position + 2 + length)], as: UTF8.self)])
      position += 2 + length
    }
    return SampledRows(
      columns: [
        SampledRows.Column(reference: nil, title: "phone", cells: numbers),
        SampledRows.Column(reference: nil, title: "name", cells: names),
      ], rows: numbers.count)
  }
}
