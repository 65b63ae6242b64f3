import Foundation
import PhoneNumbering
import TestSupport
import Testing

@testable import DirectorySources

@Suite("Broken JSON")
struct JSONFaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var text: String
    var error: String
    var hint: String?
    var records = ""
    var testDescription: String { error }
  }

  @Test(
    "A text that is broken anywhere stops the run with line, column, offset and what stands there (B-111)",
    arguments: [
      Fault(
        text: #"ok {"a":1}"#, error: #":1, column 1: expected a value, found 'ok {"a":1}' (offset 0)"#,
        hint: "remove what stands before '{'"),
      Fault(text: "", error: ":1, column 1: expected an array or an object, found the end of the text (offset 0)"),
      Fault(text: "7", error: ":1, column 1: expected an array or an object, found '7' (offset 0)"),
      Fault(
        text: "[{\"phone\": \"1\"}]\n ok",
        error: ":2, column 2: expected the end of the text after the document, found 'ok' (offset 18)"),
      Fault(
        text: "[{\"phone\": \"Ж\"},\n\n]",
        error: ":3, column 1: expected the next element after ',', found ']' (offset 19)",
        hint: "remove the comma"),
      Fault(
        text: "[{\"phone\": \"Ж\"} {\"phone\": 2}]",
        error: ":1, column 17: expected ',' or ']', found '{\"phone\": 2}]' (offset 17)"),
      Fault(
        text: "[{\"phone\": \"Ж\"},{\"phone\": 02}]",
        error: ":1, column 27: expected a number without leading zeros, found '02}]' (offset 27)",
        hint: "put digits that are a name, such as a phone number, in double quotes"),
      Fault(
        text: "[{\"phone\": \"1\", \"x\": 1, \"x\": 2}]",
        error: ":1, column 25: expected each key once, found \"x\" again (offset 24)"),
      Fault(
        text: "[{\"phone\": \"1\"},",
        error: ":1, column 17: expected the next element after ',', found the end of the text (offset 16)"),
      Fault(
        text: "[{\"phone\": \"1\"}", error: ":1, column 16: expected ',' or ']', found the end of the text (offset 15)",
        hint: "the text may have been cut off"),
      Fault(
        text: "[\"a\nb\"]",
        error: ":1, column 4: expected no control character in a string, found the end of the line (offset 3)"),
      Fault(
        text: #"["\x"]"#,
        error: #":1, column 3: expected one of \" \\ \/ \b \f \n \r \t \uXXXX, found '\x"]' (offset 2)"#),
      Fault(
        text: #"["\ud800"]"#,
        error: #":1, column 3: expected a pair of surrogates, found half of one in '\ud800"]' (offset 2)"#),
      Fault(
        text: #"{"a": {"rows": [1]}, "a": 2}"#,
        error: ":1, column 22: expected each key once, found \"a\" again (offset 21)",
        records: "a.rows"),
      Fault(
        text: #"{"a": {"rows": [1], "b": [}}"#, error: ":1, column 27: expected a value, found '}' (offset 26)",
        records: "a.rows"),
      Fault(
        text: #"{"a": {"b": tru, "rows": [1]}}"#,
        error: ":1, column 13: expected a value, found 'tru, \"rows\": [1]}}' (offset 12)",
        records: "a.rows"),
      Fault(
        text: #"{"a": {"row": [1]}}"#,
        error: ":1, column 8: there is no member \"rows\" in \"a\"; there is \"row\" (offset 7)",
        hint: "did you mean \"row\"?", records: "a.rows"),
      Fault(
        text: #"{"a": [1]}"#, error: ":1, column 7: expected an object at \"a\", found '[1]}' (offset 6)",
        hint: "\"records\" is the way to the array or object that holds the rows", records: "a.rows"),
      Fault(
        text: "66666666666666666666666666.x",
        error: ":1, column 1: expected an array or an object, found '666666666666666666666666…' (offset 0)"),
      Fault(
        text: "[" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "]",
        error: ":1, column 65: expected at most 63 levels of nesting, found more (offset 64)"),
    ])
  func faults(fault: Fault) throws {
    for block in [5, 20, 1 << 20] {
      let error = try #require(throws: SourceError.self, "block \(block)") {
        try JSONReading.read(fault.text, block: block) { $0.records = fault.records }
      }
      #expect(error.kind == .data)
      #expect(error.description.hasSuffix("a.json" + fault.error), "block \(block): \(error.description)")
      if let hint = fault.hint { #expect(error.hint == hint) }
    }
  }

  @Test("Invalid UTF-8 is an error with its offset, in a string and outside")
  func invalidText() throws {
    let error = try #require(throws: SourceError.self) {
      try JSONReading.read(Array("[{\"phone\": \"1\",\n\"x\": \"".utf8) + [0xCF, 0x22, 0x7D, 0x5D])
    }
    #expect(error.line == 2 && error.column == 7 && error.what.hasSuffix("the invalid byte 0xCF (offset 22)"))
    #expect(error.hint == TextEncoding.hint && error.hint.contains("windows-1251"))
    let bytes: [UInt8] = Array("{\"a\": \"".utf8) + [0xCF] + Array("\", \"rows\": []}".utf8)
    let early = try #require(throws: SourceError.self) { try JSONReading.read(bytes, change: { $0.records = "rows" }) }
    #expect(early.column == 8 && early.what.hasSuffix("0xCF (offset 7)") && early.hint == TextEncoding.hint)
  }

  @Test("A file cut at any byte is an error, never a shorter list (B-114)")
  func truncation() throws {
    let text =
      "\u{FEFF}{\"v\": [1, {\"k\": \"]\"}],\n \"rows\": [{\"phone\": \"2025550101\", \"n\": \"\\u0416\\\"\"},\n"
      + "{\"phone\": 2025550102}], \"end\": [true, null]}"
    let bytes = Array(text.utf8)
    let change: (inout SourceDescription) -> Void = {
      $0.records = "rows"
      $0.label = nil
    }
    for block in [7, 1 << 20] {
      #expect(try JSONReading.read(bytes + [0x0A, 0x20], block: block, change: change).rows.count == 2)
      for count in 0..<bytes.count {
        let cut = Array(bytes[..<count])
        let error = try #require(throws: SourceError.self, "\(count) bytes") {
          try JSONReading.read(cut, block: block, change: change)
        }
        #expect(error.what.contains("(offset ") && error.line != nil && error.column != nil)
      }
    }
  }

  @Test("A row longer than a block is read; one longer than any may be stops the run and says what to look at")
  func longRows() throws {
    let long = String(repeating: "[1,\"]\"],", count: 500) + "0"
    let text =
      "[{\"phone\": \"2025550101\", \"name\": \"A\"},\n {\"x\": [\(long)], \"phone\": \"2025550102\"},{\"phone\": 1}]"
    #expect(try JSONReading.read(text, block: 32).rows == ["1 101 A", "2 102 "])
    let error = try #require(throws: SourceError.self) {
      try JSONReading.read(Array(text.utf8), block: 32) { $0.longestRow = 1024 }
    }
    #expect(error.line == 2 && error.column == 2 && error.what.hasPrefix("the row that begins here is longer than"))
    #expect(error.hint.contains("\"records\""))
    // A quote that is missing makes a long row of many: the quote is what is said.
    let broken = text.replacing("\"phone\": \"2025550102\"", with: "\"phone: \"2025550102\"")
      .replacing("[\(long)]", with: "1")
    #expect(
      try #require(throws: SourceError.self) {
        try JSONReading.read(Array((broken.dropLast() + long).utf8), block: 32) { $0.longestRow = 1024 }
      }.what.contains("expected ':' after the key"))
  }

  @Test("What stands before or behind the rows may be longer than a block, and not longer than a row")
  func longSurroundings() throws {
    let long = String(repeating: "[1,\"]\"],", count: 500) + "0"
    for text in ["{\"a\": [\(long)], \"rows\": [2025550101]}", "{\"rows\": [2025550101], \"a\": [\(long)]}"] {
      let change: (inout SourceDescription) -> Void = {
        $0.records = "rows"
        $0.numbers = .number(.name("$value"))
        $0.label = nil
      }
      #expect(try JSONReading.read(text, block: 32, change: change).rows.count == 1)
      let error = try #require(throws: SourceError.self) {
        try JSONReading.read(Array(text.utf8), block: 32, tune: { $0.longestRow = 1024 }, change: change)
      }
      #expect(error.what.contains("rows") && error.what.contains("1024 bytes") || error.what.contains("longer than"))
    }
  }

  @Test(
    "One byte of a file changed at random: an error at its place, or what a document's parser takes", arguments: 0..<4)
  func mutations(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let text = Array("[{\"v\":\"2025550101\",\"n\":[\"Ж\\n\"]},\n {\"v\":[2025550102]} ,{\"v\":null}]\n".utf8)
    let other = Array("{}[]\",:\\ \n0x".utf8) + [0x80, 0xFF, 0x00]
    for _ in 0..<150 {
      var bytes = text
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = other.randomElement(using: &generator) ?? 0
      // Foundation takes some texts that are not JSON by RFC 8259, and none that are is refused.
      let isTaken = (try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])) != nil
      do {
        let block = Int.random(in: 4..<80, using: &generator)
        _ = try JSONReading.read(
          bytes, block: block,
          change: {
            $0.numbers = .number(.name("v"))
            $0.label = nil
            $0.allowEmpty = true
          })
        #expect(isTaken, "\(String(decoding: bytes, as: UTF8.self))")
      } catch let error as SourceError {
        guard error.what.contains("(offset "), let end = error.what.lastIndex(of: "(") else { continue }
        let offset = try #require(Int(error.what[end...].dropFirst("(offset ".count).dropLast()))
        #expect(offset <= bytes.count)
        let before = bytes[..<offset]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        #expect(error.line == before.count { $0 == 0x0A } + 1)
        #expect(error.column == before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
      }
    }
  }
}
