import Foundation
import TestSupport
import Testing

@testable import DirectorySources

/// Random JSON texts against what Foundation's parser makes of each row.
@Suite("JSON against a naive reader")
struct JSONPropertyTests {
  /// Writes random values with everything that could mislead a reader of brackets and quotes.
  private struct Writer {
    var generator: SeededGenerator

    mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

    mutating func blank() -> String { [" ", "", "", "\n", " \t", "\r\n"].randomElement(using: &generator) ?? "" }

    mutating func string() -> String {
      let pieces = [
        "a", "]", "}", "{", "[", ",", ":", "\\\"", "\\\\", "\\/", "\\n", "\\u0041", "\\ud83d\\ude00", "\\u00e9", "Ж",
        "語", "😀",
        "some plain text", "Добрый день всем", " ", "'",
      ]
      let count = Int.random(in: 0..<8, using: &generator)
      return "\"" + (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + "\""
    }

    mutating func value(depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 3 ? 5 : 8), using: &generator) {
      case 0, 1: return string()
      case 2: return ["0", "-1.5", "12e3", "20255501019"].randomElement(using: &generator) ?? "0"
      case 3: return ["true", "false"].randomElement(using: &generator) ?? "true"
      case 4: return "null"
      case 5, 6: return object(members: [], depth: depth)
      default:
        let count = Int.random(in: 0..<4, using: &generator)
        return "[" + (0..<count).map { _ in blank() + value(depth: depth + 1) + blank() }.joined(separator: ",")
          + blank() + "]"
      }
    }

    mutating func object(members: [(String, String)], depth: Int) -> String {
      var members = members
      for index in 0..<Int.random(in: 0..<4, using: &generator) {
        members.append(("x\(index)", value(depth: depth + 1)))
      }
      members.shuffle(using: &generator)
      let text = members.map { name, value in
        blank() + (chance(5) ? escaped(name) : "\"\(name)\"") + blank() + ":" + blank() + value + blank()
      }
      return "{" + text.joined(separator: ",") + blank() + "}"
    }

    /// A key with its first character as an escape.
    func escaped(_ name: String) -> String {
      let first = name.utf8.first ?? 0
      return "\"\\u00" + String(first, radix: 16) + name.dropFirst() + "\""
    }
  }

  @Test("Rows, labels and lines are those of a plain reading, for every border of chunks", arguments: 0..<60)
  func random(seed: Int) throws {
    var writer = Writer(generator: SeededGenerator(seed: UInt64(seed)))
    let areMembers = writer.chance(3)
    let isNested = writer.chance(2)
    var text = "\(writer.blank())"
    if isNested { text += "{\"v\":\(writer.value(depth: 0)),\(writer.blank())\"in\":{\"rows\":" }
    text += areMembers ? "{" : "["
    var expected: [String] = []
    var usesLabel = false
    for index in 0..<Int.random(in: 1..<60, using: &writer.generator) {
      if index > 0 { text += "," }
      text += writer.blank()
      let line = text.utf8.count { $0 == 0x0A } + 1
      let number = "2025550\(100 + index)"
      var row = ""
      var members: [(String, String)] = []
      if !areMembers { members.append(("phone", writer.chance(2) ? "\"\(number)\"" : "[[], {}, \(number)]")) }
      if !areMembers { members[0].1 = members[0].1.replacing("{}, ", with: "") }
      let label = writer.string()
      if writer.chance(4) { members.append(("name", "null")) } else { members.append(("name", "{\"de\": \(label)}")) }
      if members.last?.1 == "null" { members.removeLast() } else { usesLabel = true }
      if areMembers { row += "\"\(number)\"" + writer.blank() + ":" + writer.blank() }
      let value = writer.object(members: members, depth: 0)
      text += row + value + writer.blank()
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(value.utf8)) as? [String: Any], "\(value)")
      let name = ((object["name"] as? [String: Any])?["de"] as? String) ?? ""
      expected.append("\(line) \(100 + index) \(Self.cleaned(name))")
    }
    guard usesLabel else { return }
    text += areMembers ? "}" : "]"
    if isNested { text += "\(writer.blank()),\"after\":\(writer.value(depth: 0))}, \"z\":\(writer.value(depth: 0))}" }
    text += writer.blank()
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    for block in [
      Int.random(in: 1..<40, using: &writer.generator), Int.random(in: 40..<4000, using: &writer.generator),
    ] {
      let (rows, report) = try JSONReading.read(text, block: block) {
        $0.records = isNested ? "in.rows" : ""
        $0.numbers = .number(.name(areMembers ? "$key" : "phone"))
        $0.label = .column(.name("name.de"))
      }
      #expect(rows == expected, "block \(block): \(text)")
      #expect(report.counts.refused == 0 && report.counts.bytes == text.utf8.count)
      #expect(report.counts.lines == text.utf8.count { $0 == 0x0A } + (text.utf8.last == 0x0A ? 0 : 1))
    }
  }

  /// A label as it is installed: line ends with the blanks beside them are one space, no blanks at its ends.
  private static func cleaned(_ text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: true)
      .map { String($0).trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    return lines.joined(separator: " ")
  }
}
