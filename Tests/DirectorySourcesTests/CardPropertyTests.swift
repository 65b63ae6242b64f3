import CallDirectory
import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("vCards against a naive reader")
struct CardPropertyTests {
  private func check(_ content: [UInt8], blockBytes: Int, _ note: Comment) throws {
    let folder = try TemporaryFolder()
    var source = SourceDescription(id: "cards", files: [try folder.write(content, to: "a.vcf")])
    source.spelling.region = RegionCode("US")
    source.area = .name("ADR.locality")
    source.allowEmpty = true
    var tuning = ReadingTuning(memory: 0, threads: 2)
    tuning.blockBytes = blockBytes
    tuning.longestRow = 1 << 20
    let sorted = try DirectoryReader(sources: [source], options: ReadingOptions(), tuning: tuning).read()

    let naive = NaiveCards(content)
    let normaliser = PhoneNormaliser(source.spelling)
    var rows: [ReadRow] = []
    var counts = ReadingCounts(files: 1, bytes: content.count, lines: naive.lines)
    var refusals: [String: [Int]] = [:]
    for card in naive.cards {
      counts.rows += 1
      let before = rows.count
      func refuse(_ finding: String, _ line: Int) {
        counts.read += 1
        counts.refused += 1
        refusals[finding, default: []].append(line)
      }
      let numbers = card.numbers.filter { !$0.text.isEmpty }
      if let fault = card.fault {
        refuse(fault, card.faultLine)
      } else if numbers.isEmpty {
        // Where there is one telephone, it is to blame.
        refuse("number.empty", card.numbers.count == 1 ? card.numbers[0].line : card.line)
      }
      for number in numbers where card.fault == nil {
        switch Array(number.text.utf8).withUnsafeBytes({ normaliser.outcome(of: $0) }) {
        case .failure(let refusal): refuse(RowFinding.number(refusal).rawValue, number.line)
        case .success(let result):
          counts.read += 1
          rows.append(
            ReadRow(
              number: result.number.rawValue, line: number.line, area: card.area, label: NaiveReader.cleaned(card.label)
            ))
        }
      }
      if rows.count == before { counts.refusedRows += 1 }
    }
    rows.sort { ($0.number, $0.line) < ($1.number, $1.line) }
    #expect(try sorted.rows() == rows, note)
    #expect(sorted.report.total == counts, note)
    let found = sorted.report.refusals.map { "\($0.finding.rawValue) \($0.count) \($0.examples.map(\.line))" }
    let expected = refusals.sorted { $0.key < $1.key }.map {
      "\($0.key) \($0.value.count) \($0.value.prefix(5).map(\.self))"
    }
    #expect(found == expected, note)
    #expect(sorted.report.notes.first { $0.finding == .lineOfCard }?.count ?? 0 == naive.strayLines, note)
  }

  @Test("Rows, accounts, findings and lines are those of a naive reader, whatever the sizes", arguments: 0..<150)
  func random(seed: Int) throws {
    var cards = RandomCards(seed: UInt64(seed))
    let content = cards.content()
    try check(content, blockBytes: cards.blockBytes(), "seed \(seed)")
  }

  @Test("A file cut short at any byte is read as far as it goes, and what is cut is refused")
  func truncation() throws {
    let content = Array(
      """
      BEGIN:VCARD\r
      VERSION:2.1\r
      N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=9A;=D0=\r
      =B0\r
      TEL;WORK:2025550101\r
      ADR:;;;Ort\\, x\r
       жд;;;\r
      END:VCARD\r
      BEGIN:VCARD\r
      FN:Zwei\r
      TEL;VALUE=uri:tel:+1-202-555-0102;ext=7\r
      TEL:20255\r
       50103\r
      END:VCARD\r

      """.utf8)
    for count in content.indices {
      let cut = Array(content[..<count])
      // A character that is cut in two is no text.
      if String(validating: cut, as: UTF8.self) == nil { continue }
      try check(cut, blockBytes: count % 3 == 0 ? 7 : 4096, "cut at \(count)")
    }
  }
}

/// Random vCards with every oddity that files of them have.
struct RandomCards {
  private var generator: SeededGenerator
  private var lines: [[UInt8]] = []
  private var isOld = false

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
  private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }

  mutating func blockBytes() -> Int { pick([1, 7, 16, 64, 300, 4096]) }

  mutating func content() -> [UInt8] {
    let lineEnd = Array(pick(["\n", "\r\n", "\r"]).utf8)
    for _ in 0..<pick([0, 1, 3, 30]) { card() }
    var bytes = chance(20) ? [0xEF, 0xBB, 0xBF] : [UInt8]()
    bytes += Array(lines.joined(separator: lineEnd))
    if chance(60), !lines.isEmpty { bytes += lineEnd }
    return bytes
  }

  private mutating func card() {
    if chance(5) { lines.append(Array(pick(["", " ", "between", "TEL:2025550100", "END:VCARD"]).utf8)) }
    isOld = chance(40)
    if !chance(3) { line(pick(["BEGIN:VCARD", "begin:vcard", "BEGIN:VCARD  "])) }
    line("VERSION:\(isOld ? "2.1" : pick(["3.0", "4.0"]))")
    for _ in 0..<Int.random(in: 0...6, using: &generator) { property() }
    if !chance(4) { line(pick(["END:VCARD", "end:vcard", "END:VCARD "])) }
  }

  private mutating func line(_ text: String) { lines.append(Array(text.utf8)) }

  private mutating func property() {
    let group = chance(10) ? "item\(Int.random(in: 1...9, using: &generator))." : ""
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...3:
      let number = Int.random(in: 2_025_550_100...2_025_550_199, using: &generator)
      let text = pick([
        "\(number)", "+1\(number)", "(202) 555-0\(number % 1000)", "", "0", "call me", "+44 20 7946 0\(number % 1000)",
      ])
      let head = pick(["TEL", "tel", "TEL;WORK;PREF", "TEL;type=WORK;VOICE", "TEL;TYPE=\"a,b\"", "TEL;CHARSET=UTF-8"])
      if chance(15) { value("TEL;VALUE=uri", "tel:+1-202-555-0\(number % 1000)") } else { value(group + head, text) }
    case 4, 5:
      value(
        group + pick(["FN", "fn", "FN;CHARSET=UTF-8", "FN;CHARSET=ISO-8859-1", "FN;CHARSET=X-MAC", "FN;LANGUAGE=de"]),
        text())
    case 6:
      let parts = (0..<5).map { _ in chance(50) ? "" : text() }
      value(group + pick(["N", "N;CHARSET=UTF-8"]), parts.joined(separator: ";"))
    case 7:
      let parts = (0..<pick([2, 7])).map { _ in chance(40) ? "" : text() }
      value(group + "ADR;TYPE=work", parts.joined(separator: ";"))
    case 8: value("NOTE", text())
    default: line(pick(["", "no property", "PHOTO;ENCODING=X:abc", "X-A:b"]))
    }
  }

  private mutating func text() -> String {
    pick([
      "Shop", "Кафе «Ёлка»", "Pizza 🍕 und so", "A\\, B\\; C", "back\\\\slash\\", "line\\nbreak", "  spaced  ", "",
      "=3D x=",
      "中文名稱", "a\\:b\\x", "tab\there", String(repeating: "длинно ", count: 20),
    ])
  }

  private mutating func value(_ head: String, _ text: String) {
    if chance(25) { return quoted(head + pick([";QUOTED-PRINTABLE", ";ENCODING=QUOTED-PRINTABLE"]), text) }
    var bytes = Array("\(head):\(text)".utf8)
    while bytes.count > 8, chance(20) {
      let least = chance(70) ? head.utf8.count + 1 : 1
      let cut = Int.random(in: min(least, bytes.count - 1)..<bytes.count, using: &generator)
      lines.append(Array(bytes[..<cut]))
      bytes = [pick([0x20, 0x09])] + bytes[cut...]
      if cut <= least { break }
    }
    lines.append(bytes)
  }

  private mutating func quoted(_ head: String, _ text: String) {
    var current = Array("\(head):".utf8)
    for byte in text.utf8 {
      let piece =
        byte >= 0x80 || byte == 0x3D || chance(10)
        ? Array((byte < 16 ? "=0" : "=").utf8) + Array(String(byte, radix: 16, uppercase: chance(50)).utf8) : [byte]
      current += piece
      if chance(8) {
        lines.append(current + [0x3D])
        current = []
      }
    }
    lines.append(current)
  }
}
