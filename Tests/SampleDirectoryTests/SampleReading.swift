import Foundation
import SampleDirectory
import TestSupport

/// A sample read back by the simplest means: split at tabs, strip all but digits, count in dictionaries. It shares
/// nothing with the writer but the names of the files.
struct SampleReading {
  struct Row {
    var phone: String
    var label: String
    var area: String
    var kind: String
    var number: UInt64?
  }

  struct Entry: Equatable {
    /// The label of the first row that has one.
    var label: String?
    var isBlocked = false
  }

  static let groups = ["moscow-spb", "russia", "abroad"]

  let summary: SampleSummary
  var rows: [String: [Row]] = [:]
  /// What each provider is to get, by group and number: a number that has neither label nor block is not there.
  var entries: [String: [UInt64: Entry]] = [:]
  var spam: [UInt64] = []
  var allowed: [UInt64] = []
  var blockList: [UInt64] = []

  /// Writes a sample into a folder of its own and reads it.
  init(_ recipe: SampleRecipe) throws {
    let folder = try TemporaryFolder()
    try self.init(folder, SampleWriter(recipe: recipe, directory: folder.path).write())
  }

  init(_ folder: TemporaryFolder, _ summary: SampleSummary) throws {
    self.summary = summary
    func lines(_ name: String) throws -> [String] {
      try String(contentsOfFile: folder.path(name), encoding: .utf8).components(separatedBy: "\n").dropLast()
    }
    spam = try lines("spam.txt").compactMap { Self.number($0, isAbroad: true) }
    allowed = try lines("never-block.txt").compactMap { Self.number($0, isAbroad: true) }
    blockList = try lines("blocklist.txt").compactMap { UInt64($0) }
    for group in Self.groups {
      rows[group] = try lines("companies-\(group).tsv").dropFirst().map { line in
        let cells = line.components(separatedBy: "\t")
        return Row(
          phone: cells[0], label: cells[1], area: cells[2], kind: cells[3],
          number: Self.number(cells[0], isAbroad: group == "abroad"))
      }
      var found: [UInt64: Entry] = [:]
      for row in rows[group] ?? [] {
        guard let number = row.number else { continue }
        var entry = found[number] ?? Entry()
        if entry.label == nil, !row.label.isEmpty, row.kind != "hidden" { entry.label = row.label }
        if row.kind != "company" { entry.isBlocked = true }
        found[number] = entry
      }
      if group == "russia" { for number in spam { found[number, default: Entry()].isBlocked = true } }
      for number in allowed where found[number] != nil { found[number]?.isBlocked = false }
      entries[group] = found.filter { $0.value.label != nil || $0.value.isBlocked }
    }
  }

  /// The number of a well-formed cell: digits and punctuation, of a length that Russia (or, with `+`, any country) has.
  static func number(_ cell: String, isAbroad: Bool) -> UInt64? {
    guard !cell.contains(","), !cell.contains(where: \.isLetter) else { return nil }
    let digits = String(cell.filter(\.isNumber))
    if cell.hasPrefix("+") { return (10...13).contains(digits.count) ? UInt64(digits) : nil }
    guard !isAbroad else { return nil }
    if digits.count == 10 { return UInt64("7" + digits) }
    return digits.count == 11 && (digits.hasPrefix("8") || digits.hasPrefix("7"))
      ? UInt64("7" + digits.dropFirst()) : nil
  }

  func identification(_ group: String) -> Int { entries[group]?.values.filter { $0.label != nil }.count ?? 0 }
  func blocking(_ group: String) -> Int { entries[group]?.values.filter(\.isBlocked).count ?? 0 }
}
