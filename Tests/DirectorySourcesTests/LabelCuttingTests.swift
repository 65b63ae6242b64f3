import TestSupport
import Testing

@testable import DirectorySources

@Suite("Labels that are too long")
struct LabelCuttingTests {
  private func cut(_ text: String, _ limit: Int) -> String {
    Array(text.utf8).withUnsafeBytes { text in
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { target, count in
        count = LabelText.writeCut(text, limit: limit, to: UnsafeMutableRawBufferPointer(target))
      }
      return String(validating: bytes, as: UTF8.self) ?? "not UTF-8"
    }
  }

  @Test(
    "B-129, B-131: a label is cut between characters as people see them, with an ellipsis in the limit",
    arguments: [
      ("Pizza 🍕🍕", 12, "Pizza…"), ("Pizza 🍕🍕", 13, "Pizza 🍕…"), ("Аптека №1", 10, "Апт…"),
      ("cafe\u{301} x", 8, "caf…"), ("a👍🏽bcdef", 8, "a…"), ("a👍🏽bcdefg", 12, "a👍🏽…"),
      ("❤️❤️❤️", 11, "❤️…"), ("👩‍👩‍👧 family", 20, "…"), ("🇩🇪🇫🇷🇮🇹", 15, "🇩🇪…"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿 England", 20, "…"),
      ("क्षि क्षि", 12, "…"), ("한국어 음식점", 8, "한…"), ("one two three", 10, "one two…"),
    ])
  func examples(text: String, limit: Int, expected: String) {
    #expect(cut(text, limit) == expected)
    #expect(expected.utf8.count <= limit)
  }

  @Test("The cut label is a beginning of the characters, fits, and nothing more would", arguments: 0..<60)
  func random(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let plain = ["a", "é", "ж", "中", "🍕", "한", " ", "€", "ß", "e\u{301}", "👍🏽", "❤️", "🇩🇪", "👩‍👩‍👧", "각"]
    // Pieces that may join what stands beside them.
    let joining = [
      "\u{301}", "\u{200D}", "\u{FE0F}", "🏽", "🇩", "\u{1100}", "\u{1161}", "\u{11A8}", "क", "्", "ा", "ำ", "\u{600}",
      "\u{200C}",
    ]
    for round in 0..<200 {
      let isPlain = round % 2 == 0
      let alphabet = isPlain ? plain : plain + joining
      let text = (0..<Int.random(in: 5...20, using: &generator))
        .map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }.joined()
      guard text.utf8.count > 8 else { continue }
      let limit = Int.random(in: 8..<text.utf8.count, using: &generator)
      let result = cut(text, limit)
      #expect(result.utf8.count <= limit, "\(text), \(limit)")
      #expect(result.unicodeScalars.last == "…")
      let kept = String(String.UnicodeScalarView(result.unicodeScalars.dropLast()))
      // Every boundary of the text, with the blanks that may be left out in front of it.
      var ends: [(text: String, bytes: Int)] = [("", 0)]
      for index in text.indices {
        let end = text[...index]
        ends.append((NaiveReader.trimmed(String(end)), end.utf8.count))
      }
      let fitting = ends.filter { $0.bytes <= limit - 3 }
      let isEnd = fitting.contains { Array($0.text.utf8) == Array(kept.utf8) }
      #expect(isEnd, "cut inside a character: \(text), \(limit), \(kept)")
      if isPlain {
        #expect(Array(kept.utf8) == Array((fitting.last?.text ?? "").utf8), "cut too early: \(text), \(limit)")
      }
    }
  }

  @Test("B-131: a source cuts at its own limit, whole labels stay, each cut is noted with its row", arguments: [1, 2])
  func source(threads: Int) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "phone,name,city\n2025550101,Short,X\n2025550102,\"A rather \n long name\",Y\n2025550103,ЁЁЁЁЁЁЁЁ,Z", to: "a.csv")
    var source = SourceDescription.table(file) { $0.maxLabelBytes = 16 }
    var options = ReadingOptions()
    options.threads = threads
    let sorted = try DirectoryReader(sources: [source], options: options).read()
    #expect(try sorted.rows().map(\.label) == ["Short", "A rather long…", "ЁЁЁЁЁЁЁЁ"])
    let notes = sorted.report.notes
    #expect(notes.map(\.finding) == [.labelControlCharacters, .labelCut])
    #expect(notes[1].examples.map(\.line) == [3])
    #expect(notes[1].examples.map(\.column) == [2])

    source.label = .template([.column(.name("city")), .text(": "), .column(.name("name"))])
    let templated = try DirectoryReader(sources: [source], options: options).read()
    #expect(try templated.rows().map(\.label) == ["X: Short", "Y: A rather l…", "Z: ЁЁЁЁЁ…"])
    #expect(templated.report.notes.first { $0.finding == .labelCut }?.count == 2)
    #expect(templated.report.total.refused == 0)
  }
}
