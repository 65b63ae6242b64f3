import TestSupport
import Testing

@testable import DirectorySources

@Suite("Labels")
struct LabelTests {
  private func labels(_ cells: [String]) throws -> (labels: [String], report: SourceReport) {
    let folder = try TemporaryFolder()
    let rows = cells.enumerated().map { "+1202555\(1000 + $0.offset),\"\($0.element)\"" }
    let file = try folder.write("phone,name\n" + rows.joined(separator: "\n"), to: "a.csv")
    let sorted = try DirectoryReader(sources: [.table(file)], options: ReadingOptions()).read()
    return (try sorted.rows().map(\.label), sorted.report.sources[0])
  }

  @Test("Letters of every script and emoji stay as they are; blanks around a label go (B-129)")
  func kept() throws {
    let result = try labels([
      "Pizza 🍕", "  Кафе  ", "\u{3000}中文\u{A0}", "👩‍👩‍👧", "\u{FEFF}x\u{2009}", "a  b", "e\u{301}",
    ])
    #expect(result.labels == ["Pizza 🍕", "Кафе", "中文", "👩‍👩‍👧", "x", "a  b", "e\u{301}"])
    #expect(result.report.notes.isEmpty)
  }

  @Test("Line ends and control characters become one space, counted (B-132)")
  func cleaned() throws {
    let result = try labels(["Line1\nLine2", "a\r\n\tb", "a \u{7} b", "x\u{85}y", "x\u{2028}y", "\u{1}edge\u{1}", "ok"])
    #expect(result.labels == ["Line1 Line2", "a b", "a b", "x y", "x y", "edge", "ok"])
    #expect(result.report.notes.first { $0.finding == .labelControlCharacters }?.count == 5)
  }

  @Test("An empty label stays an empty label: another row may have one (B-133)")
  func empty() throws {
    #expect(try labels(["", "   "]).labels == ["", ""])
  }

  @Test("65,534 bytes are kept; a longer label is cut to what a phone keeps, noted (R-ENT-3, B-131)")
  func longest() throws {
    let fits = String(repeating: "ж", count: 32_767)
    let result = try labels([fits, fits + "x"])
    #expect(result.labels == [fits, String(repeating: "ж", count: 32_765) + "…"])
    #expect(result.labels.map(\.utf8.count) == [65_534, 65_533])
    #expect(result.report.notes.map(\.finding) == [.labelCut])
    #expect(result.report.refusals.isEmpty)
  }

  @Test("Validity, control characters and trimming agree with Swift's own on random bytes", arguments: 0..<40)
  func conditions(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let alphabet: [[UInt8]] = [
      Array("abc defg".utf8), Array("Привет, мир".utf8), Array("\u{85}".utf8), Array("\u{2028}".utf8),
      Array("\u{20AC}".utf8), Array("🍕".utf8), [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x7F],
      [0x00],
      Array("\u{A0}".utf8), Array("éé".utf8), [0xE2, 0x80],
    ]
    for _ in 0..<300 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        bytes += alphabet[Int.random(in: 0..<(Bool.random(using: &generator) ? 3 : alphabet.count), using: &generator)]
      }
      let text = String(validating: bytes, as: UTF8.self)
      bytes.withUnsafeBytes { raw in
        let condition = LabelText.condition(of: raw)
        if let text {
          let hasControls = text.unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.value == 0x2028 || $0.value == 0x2029
          }
          #expect(condition == (hasControls ? .hasControls : .clean), "\(bytes)")
          let trimmed = String(decoding: LabelText.trimmed(raw), as: UTF8.self)
          #expect(Array(trimmed.utf8) == Array(NaiveReader.trimmed(text).utf8), "\(bytes)")
        } else {
          guard case .invalid(let offset) = condition else {
            Issue.record("taken for UTF-8: \(bytes)")
            return
          }
          #expect(String(validating: bytes[..<offset], as: UTF8.self) != nil, "\(bytes)")
          #expect(
            (1...4).allSatisfy {
              offset + $0 > bytes.count || String(validating: bytes[offset..<(offset + $0)], as: UTF8.self) == nil
            }, "\(bytes)")
        }
      }
    }
  }

  @Test("Scores are rounded as Swift rounds them")
  func scores() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let whole = String(
        UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0..<64, using: &generator), using: &generator))
      let fraction = String(
        UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0..<64, using: &generator), using: &generator))
      let text = "\(Bool.random(using: &generator) ? "-" : "")\(whole).\(fraction)"
      let value = Array(text.utf8).withUnsafeBytes { ScoreText.value(of: $0) }
      #expect(value == Double(text))
    }
    for (text, value) in [("1e3", 1000), ("1.5E2", 150), ("1,5e+2", 150), ("-25e-2", -0.25), ("0e999", 0)] {
      #expect(Array(text.utf8).withUnsafeBytes { ScoreText.value(of: $0) } == value, "\(text)")
    }
    for text in [
      "", "+", ".", "1.2.3", "0x10", "inf", "nan", "1e", "e5", "1e5.0", "1e+", "1e1e1", "1e400", "1e0005", "1 000",
      String(repeating: "9", count: 400),
    ] {
      #expect(Array(text.utf8).withUnsafeBytes { ScoreText.value(of: $0) } == nil, "\(text)")
    }
  }
}
