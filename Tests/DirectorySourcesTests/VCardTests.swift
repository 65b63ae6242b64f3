import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("vCards")
struct VCardTests {
  /// `line number label` and the area of each row, in the order of lines.
  private func rows(_ text: String, change: (inout SourceDescription) -> Void = { _ in }) throws -> [String] {
    try rows(of: readCards(Array(text.utf8), change: change))
  }

  private func rows(of sorted: SortedRows) throws -> [String] {
    try sorted.rows().sorted { $0.line < $1.line }.map {
      "\($0.line) \($0.number % 10_000) \($0.label)" + ($0.area.isEmpty ? "" : " @\($0.area)")
    }
  }

  private func card(_ lines: String..., version: String = "3.0") -> String {
    (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\n")
  }

  @Test("A card is a row: its telephones are numbers of the row, its FN the label, each number at its own line")
  func card() throws {
    let text = card("FN:Shop", "TEL;TYPE=WORK:(202) 555-0101", "TEL:+1 202 555 0102", "ORG:Other;")
    let sorted = try readCards(Array((text + card("FN:None", "NOTE:x")).utf8))
    #expect(try rows(of: sorted) == ["4 101 Shop", "5 102 Shop"])
    let counts = ReadingCounts(
      files: 1, bytes: text.utf8.count + 49, lines: 12, rows: 2, refusedRows: 1, read: 3, refused: 1)
    #expect(sorted.report.total == counts)
    #expect(sorted.report.refusals.map(\.finding) == [.number(.empty)])
    #expect(sorted.report.refusals.first?.examples.first?.line == 8)
  }

  @Test("A card of some megabytes costs what it is long, however often a line is folded and however many parts it has")
  func longCards() throws {
    let count = 400_000
    let longest = 1 << 23
    let number = "TEL:+12025550101"
    let folded = card("X\n" + String(repeating: " \n", count: count) + number)
    let stray = try readCards(Array(folded.utf8), longestRow: longest)
    #expect(stray.report.total.lines == count + 5)
    #expect(stray.report.notes.map(\.finding) == [.lineOfCard])
    // The colon stands in the last line, behind a quote that opens in the first one.
    let late = card("TEL;X=\":\n" + String(repeating: " :\n", count: count) + " \":+12025550102", number)
    #expect(try readCards(Array(late.utf8), longestRow: longest).report.total.lines == count + 6)
    let parts = card("FN:x", number, "ADR:" + String(repeating: "a;", count: count))
    let sorted = try readCards(Array(parts.utf8), longestRow: longest) { $0.label = .column(.name("ADR")) }
    #expect(try sorted.rows().map { $0.label.prefix(8) } == ["a, a, a,"])
  }

  @Test(
    "Every line end, upper and lower case, with and without mark and last line end", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(lineEnd: String) throws {
    for mark in ["", "\u{FEFF}"] {
      for last in ["", lineEnd] {
        for isLower in [false, true] {
          var lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:\(isLower ? "one" : "One")", "TEL:2025550101", "END:VCARD"]
          lines += [
            "", "\(mark)BEGIN:VCARD ", "item1.FN:\(isLower ? "two" : "Two")", "ITEM1.TEL:2025550102", "END:VCARD ",
          ]
          let text = lines.joined(separator: lineEnd)
          let result = try rows(mark + (isLower ? text.lowercased() : text) + last)
          #expect(result == (isLower ? ["4 101 one", "9 102 two"] : ["4 101 One", "9 102 Two"]))
        }
      }
    }
  }

  @Test(
    "Telephones in the forms of all versions and in odd ones",
    arguments: [
      ("TEL;WORK;PREF:2025550101", 1), ("TEL;type=WORK;VOICE:+12025550101", 1), ("tel:2025550101", 1),
      ("TEL;VALUE=uri:tel:+1-202-555-0101", 1), ("TEL;VALUE=uri;TYPE=\"voice,home\":tel:+1-202-555-0101;ext=102", 1),
      ("TEL;X=\"a:b;c\":2025550101", 1), ("TEL;X=\"open:2025550101", 1), ("A-b.TEL ;WORK : 202\\-555-0101", 1),
      ("TEL;ENCODING=QUOTED-PRINTABLE:+1=20202=\n5550101", 1), ("TEL:202555\n 0101", 1),
      ("TELX:2025550101", 0), ("TEL;TYPE=cell:", 0), ("TEL:\nTEL:2025550101", 1), ("TEL;ENCODING=b:MjAy", 0),
    ])
  func telephones(line: String, numbers: Int) throws {
    let sorted = try readCards(Array(card("FN:A", line, version: "2.1").utf8))
    let rows = try sorted.rows()
    #expect(rows.count == numbers && rows.allSatisfy { $0.number == 12_025_550_101 }, "\(line)")
    #expect(sorted.report.total.refused == 1 - numbers)
  }

  @Test("The label is FN, without it the name as it is said, without that the organisation")
  func labels() throws {
    let tel = "TEL:2025550101"
    #expect(try rows(card("N:Family;Given;;;", "FN:Shown", tel)) == ["5 101 Shown"])
    #expect(try rows(card("N:Family;Given;Add;Dr.;Jr.", "FN: ", tel)) == ["5 101 Dr. Given Add Family Jr."])
    #expect(try rows(card("N:;;;;", "ORG:Shop \\; Co;Unit", tel)) == ["5 101 Shop ; Co"])
    #expect(try rows(card("N:;Given\\, first;;;", tel)) == ["4 101 Given, first"])
    #expect(
      try rows(card("FN:Shown", "ORG:Shop;;Unit", tel)) { $0.label = .column(.name("ORG")) } == ["5 101 Shop, Unit"])
    #expect(
      try rows(card("FN:Shown", "ORG:Shop;Unit", tel)) { $0.label = .column(.name("org.unit")) } == ["5 101 Unit"])
  }

  @Test("Columns are properties and their parts; the first one that is not blank counts")
  func columns() throws {
    let text = card(
      "FN:A", "ADR:;;;;;;", "item2.ADR;TYPE=work:;;1 Main St;Springfield\\, East;IL;62701;USA", "CATEGORIES:x,y",
      "X-RANK:7", "TEL:2025550101")
    #expect(try rows(text) { $0.area = .name("ADR.locality") } == ["8 101 A @Springfield, East"])
    #expect(try rows(text) { $0.area = .name("ADR.country") } == ["8 101 A @USA"])
    #expect(try rows(text) { $0.area = .name("CATEGORIES") } == ["8 101 A @x,y"])
    let whole = "1 Main St, Springfield, East, IL, 62701, USA"
    #expect(try rows(text) { $0.label = .column(.name("ADR")) } == ["8 101 \(whole)"])
    let scored = try readCards(Array(text.utf8)) { $0.score = .name("x-rank") }
    #expect(try scored.rows().map(\.score) == [7])
  }

  @Test(
    "A column that is none is said before anything is read (B-125)",
    arguments: [
      (ColumnReference.name("ORGG"), "vCards have no property \"ORGG\"", "did you mean \"ORG\"?"),
      (.name("ADR.localty"), "ADR has no part \"localty\"", "did you mean \"ADR.locality\"?"),
      (.name("FN.first"), "FN has no parts", "use \"FN\""),
      (
        .position(2), "the properties of a vCard have no positions",
        "use a name, for example TEL, FN, ORG, ADR.locality"
      ),
    ])
  func unknownColumn(reference: ColumnReference, what: String, hint: String) throws {
    let error = try #require(throws: SourceError.self) {
      try readCards(Array(card("FN:A", "TEL:2025550101").utf8)) { $0.area = reference }
    }
    #expect(error.what == what && error.hint == hint && error.key == "area")
  }

  @Test("Escapes are undone, in 2.1 without line ends; other backslashes are text")
  func escapes() throws {
    let text = "FN:a\\, b\\; c\\\\d\\ne\\x\\"
    #expect(try rows(card(text, "TEL:2025550101")) == ["4 101 a, b; c\\d e\\x\\"])
    #expect(try rows(card(text, "TEL:2025550101", version: "2.1")) == ["4 101 a, b; c\\d\\ne\\x\\"])
  }

  @Test("Folded lines are joined, also where the fold cuts a letter in two")
  func folds() throws {
    let letter = Array("ж".utf8)
    for version in ["2.1", "3.0"] {
      let start = Array("BEGIN:VCARD\r\nVERSION:\(version)\r\nFN:a".utf8) + [letter[0]]
      let end = [letter[1]] + Array("b\r\n  c\r\n\td\r\nTEL:20255501\r\n 01\r\nEND:VCARD\r\n".utf8)
      let sorted = try readCards(start + Array("\r\n ".utf8) + end)
      #expect(try rows(of: sorted) == ["7 101 aжb\(version == "2.1" ? "  c d" : " cd")"])
    }
  }

  @Test("Quoted-printable text is decoded over its soft breaks, and its lines are never properties")
  func quotedPrintable() throws {
    let text = card(
      "NOTE;ENCODING=QUOTED-PRINTABLE:a=", "TEL:2025550199=", "FN:no",
      "FN;CHARSET=UTF-8;QUOTED-PRINTABLE:=D0=9A=D0=", "=B0=d1=84=D0=B5=3D=", " x=zz=", "TEL:2025550101", version: "2.1")
    #expect(try rows(text) == [])
    let closed = card(
      "FN;CHARSET=UTF-8;QUOTED-PRINTABLE:=D0=9A=D0=", "=B0=3D=", " x=zz=", "", "TEL:2025550101", version: "2.1")
    #expect(try rows(closed) == ["7 101 Ка= x=zz"])
  }

  @Test("A character set that is not read refuses the card and shows its line; in ASCII it does not matter")
  func charsets() throws {
    let unknown = card("FN;CHARSET=X-MAC:\u{442}", "TEL:2025550101")
    let plain = card("FN;CHARSET=X-MAC:abc", "TEL:2025550102")
    let wrong = card("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C0", "TEL:2025550103")
    let base64 = card("FN;ENCODING=b:YWJj", "TEL:2025550104")
    let unused = card("FN:A", "NOTE;CHARSET=X-MAC:\u{442}", "PHOTO;ENCODING=b:YWJj", "TEL:2025550105")
    let sorted = try readCards(Array((unknown + plain + wrong + base64 + unused).utf8))
    #expect(try rows(of: sorted) == ["9 102 abc", "26 105 A"])
    #expect(sorted.report.refusals.map(\.finding) == [.cardCharset, .cardEncoding])
    #expect(sorted.report.refusals[0].examples.map(\.line) == [3, 13])
    #expect(sorted.report.refusals[0].examples.map(\.column) == [nil, nil])
    #expect(sorted.report.refusals[1].examples.map(\.raw) == ["FN;ENCODING=b:YWJj"])
    #expect(sorted.report.total.rows == 5 && sorted.report.total.refusedRows == 3)
  }

  @Test("A byte that is not UTF-8 stops the run with its offset (B-122)")
  func invalidText() throws {
    let start = Array("BEGIN:VCARD\nFN:a".utf8)
    for (label, part) in [("FN", nil), ("N", 0 as Int?)] {
      var source = SourceDescription(id: "x", files: [])
      source.label = .column(.name(part == nil ? label : "N.family"))
      let bytes = Array("BEGIN:VCARD\n\(label):a".utf8)
      let error = try #require(throws: SourceError.self) {
        try readCards(bytes + [0xC0] + Array("\nTEL:2025550101\nEND:VCARD\n".utf8)) { $0.label = source.label }
      }
      #expect(error.what == "byte 0xC0 at offset \(bytes.count) is not valid UTF-8")
      #expect(error.line == 2 && error.column == nil && start.count > 0)
    }
  }

  @Test("Whatever is no whole card is a refused row, wherever chunks are cut", arguments: [1, 7, 16, 64, 1 << 20])
  func broken(blockBytes: Int) throws {
    let text = """
      stray

      TEL:2025550199
      BEGIN:VCARD
      FN:Unclosed
      TEL:2025550198
      BEGIN:VCARD
      FN:Inner
      TEL:2025550101
      END:VCARD
      TEL:2025550197
      END:VCARD
      END:VCARD
      BEGIN:VCARD
      FN:Cut =
      NOTE;QUOTED-PRINTABLE:x=
      TEL:2025550196=
      END:VCARD
      BEGIN:VCARD
      FN:B
      no property
      PHOTO;BASE64:aaaa
      bbbb
       cccc
      TEL:2025550102
      END:VCARD

      BEGIN:VCARD
      TEL:2025550195
      """
    let sorted = try readCards(Array(text.utf8), blockBytes: blockBytes)
    #expect(try rows(of: sorted) == ["9 101 Inner", "25 102 B"])
    let found = sorted.report.refusals.map { group in
      "\(group.finding.rawValue) \(group.examples.map { "\($0.line)" }.joined(separator: " "))"
    }
    #expect(found == ["card.notClosed 4 28", "card.textOutside 1 11 13", "number.empty 14"])
    #expect(sorted.report.refusals[1].examples.map(\.raw)[1] == "TEL:2025550197\nEND:VCARD")
    #expect(sorted.report.notes.map(\.finding) == [.lineOfCard])
    #expect(sorted.report.notes[0].examples.map(\.raw) == ["no property"])
    #expect(sorted.report.total.lines == 29 && sorted.report.total.rows == 8)
  }

  @Test(
    "A card longer than the longest row is one refused row, and the next card is read", arguments: [0, 1, 2, 3, 11, 12])
  func longCards(shift: Int) throws {
    let filling = String(repeating: "X", count: shift) + "\n" + String(repeating: "NOTE:0123456789\n", count: 3000)
    let long = "BEGIN:VCARD\nNOTE:\(filling)TEL:2025550199\nEND:VCARD\n"
    let text = card("FN:A", "TEL:2025550101") + long + card("FN:B", "TEL:2025550102") + long.dropLast()
    let sorted = try readCards(Array(text.utf8), blockBytes: 100, longestRow: 16_384)
    #expect(try rows(of: sorted) == ["4 101 A", "3013 102 B"])
    #expect(sorted.report.refusals.map(\.finding) == [.rowTooLong])
    #expect(sorted.report.refusals[0].examples.map(\.line) == [6, 3015])
    #expect(sorted.report.total.lines == 6018)
  }
}
