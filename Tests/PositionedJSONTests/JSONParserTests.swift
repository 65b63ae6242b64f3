import PositionedJSON
import TestSupport
import Testing

/// A text that must be refused, and the error as printed.
struct RefusedText: Sendable, CustomTestStringConvertible {
  let bytes: [UInt8]
  let error: String
  var hint: String?

  init(_ text: String, _ error: String, hint: String? = nil) {
    self.init(bytes: Array(text.utf8), error, hint: hint)
  }

  init(bytes: [UInt8], _ error: String, hint: String? = nil) {
    self.bytes = bytes
    self.error = error
    self.hint = hint
  }

  var testDescription: String { error }
}

@Suite struct JSONParserTests {
  @Test(arguments: [
    ("null", "null"), (" true ", "true"), ("false\n", "false"), ("0", "0"), ("-0", "-0"), ("-12.50e+3", "-12.50e+3"),
    ("1E5", "1E5"), (#""""#, #""""#), ("[]", "[]"), ("{}", "{}"), ("[ ]", "[ ]"), ("\u{FEFF}{}", "{}"),
    ("\t\r\n [1,\n2] ", "[1,\n2]"), (#"{"a":{"b":[{}]}}"#, #"{"a":{"b":[{}]}}"#), (#"{"":1}"#, #"{"":1}"#),
    (#"["\u0000"]"#, #"["\u0000"]"#), ("\"\u{7F}\"", "\"\u{7F}\""),
  ])
  func `A valid text is taken and kept as written`(text: String, verbatim: String) throws {
    #expect(try JSONDocument(text: text).root.verbatim == verbatim)
  }

  static let structure = [
    RefusedText("", "p:1:1: expected a value, found the end of the text", hint: "the text is empty"),
    RefusedText("  \n ", "p:2:2: expected a value, found the end of the text"),
    RefusedText(
      #"ok {"a":1}"#, #"p:1:1: expected a value, found 'ok {"a":1}'"#, hint: "remove what stands before '{'"),
    RefusedText("{} x", "p:1:4: expected the end of the text after the document, found 'x'"),
    RefusedText("{}{}", "p:1:3: expected the end of the text after the document, found '{}'"),
    RefusedText("[1,]", "p:1:3: expected no comma after the last element, found ','", hint: "remove the comma"),
    RefusedText(
      "{\"a\": 1,\n}", "p:1:8: expected no comma after the last member, found ','", hint: "remove the comma"),
    RefusedText("[,1]", "p:1:2: expected a value, found ','"),
    RefusedText("[1,,2]", "p:1:4: expected a value, found ','"),
    RefusedText("[1 2]", "p:1:4: expected ',' or ']', found '2]'"),
    RefusedText(#"["a" "b"]"#, #"p:1:6: expected ',' or ']', found '"b"]'"#, hint: "is a comma missing?"),
    RefusedText("[1}", "p:1:3: expected ',' or ']', found '}'"),
    RefusedText(#"{"a":1]"#, "p:1:7: expected ',' or '}', found ']'"),
    RefusedText(#"{"a" 1}"#, "p:1:6: expected ':' after the key, found '1}'"),
    RefusedText("{a: 1}", "p:1:2: expected a key in double quotes, found 'a: 1}'"),
    RefusedText(
      "{'a': 1}", "p:1:2: expected a key in double quotes, found ''a': 1}'", hint: "use straight double quotes"),
    RefusedText(
      "{“a”: 1}", "p:1:2: expected a key in double quotes, found '“a”: 1}'", hint: "use straight double quotes"),
    RefusedText("{1: 1}", "p:1:2: expected a key in double quotes, found '1: 1}'"),
    RefusedText(
      "[1, // one\n2]", "p:1:5: expected a value, found '// one'",
      hint: "JSON has no comments; use a \"comment\" key"),
    RefusedText("[True]", "p:1:2: expected a value, found 'True]'", hint: "write true"),
    RefusedText("[NaN]", "p:1:2: expected a value, found 'NaN]'", hint: "write null"),
    RefusedText("nulla", "p:1:1: expected a value, found 'nulla'"),
    RefusedText("tru", "p:1:1: expected a value, found 'tru'"),
    RefusedText("]", "p:1:1: expected a value, found ']'"),
  ]

  @Test(arguments: structure)
  func `B-111: a syntax error says where, what was expected and what stands there`(refused: RefusedText) {
    expect(refused)
  }

  static let scalars = [
    RefusedText(
      "[01]", "p:1:2: expected a number without leading zeros, found '01]'",
      hint: "put digits that are a name, such as a phone number, in double quotes"),
    RefusedText("[-]", "p:1:2: expected a digit after '-', found ']'"),
    RefusedText("[+1]", "p:1:2: expected a value, found '+1]'"),
    RefusedText("[.5]", "p:1:2: expected a value, found '.5]'"),
    RefusedText("[1.]", "p:1:2: expected a digit after '.', found ']'"),
    RefusedText("[1e]", "p:1:2: expected a digit after the exponent mark, found ']'"),
    RefusedText("[1e+]", "p:1:2: expected a digit after the exponent mark, found ']'"),
    RefusedText("[1.5.2]", "p:1:2: expected a number, found '1.5.2]'"),
    RefusedText("[0x10]", "p:1:2: expected a number, found '0x10]'"),
    RefusedText("-", "p:1:1: expected a digit after '-', found the end of the text"),
    RefusedText(
      "\"abc", "p:1:1: expected '\"' at the end of the string, found the end of the text",
      hint: "the text may have been cut off"),
    RefusedText(
      "\"a\nb\"", "p:1:3: expected no control character in a string, found the end of the line",
      hint: "close the string with '\"', or write \\n"),
    RefusedText(
      "\"a\tb\"", "p:1:3: expected no control character in a string, found byte 0x09", hint: "write it as \\u0009"),
    RefusedText(
      #""C:\dir""#, #"p:1:4: expected one of \" \\ \/ \b \f \n \r \t \uXXXX, found '\dir"'"#,
      hint: "write a backslash as \\\\"),
    RefusedText(#""\u12G4""#, #"p:1:2: expected four hexadecimal digits after \u, found '\u12G4"'"#),
    RefusedText(#""\u12"#, #"p:1:2: expected four hexadecimal digits after \u, found '\u12'"#),
    RefusedText(#""\ud83d""#, #"p:1:2: expected a pair of surrogates, found half of one in '\ud83d"'"#),
    RefusedText(#""\ud83d\u0041""#, #"p:1:2: expected a pair of surrogates, found half of one in '\ud83d\u0041"'"#),
    RefusedText(#""\udE00""#, #"p:1:2: expected a pair of surrogates, found half of one in '\udE00"'"#),
    RefusedText("\"\\", "p:1:1: expected '\"' at the end of the string, found the end of the text"),
  ]

  @Test(arguments: scalars)
  func `A malformed number or string is refused at its place`(refused: RefusedText) {
    expect(refused)
  }

  static let encodings = [
    RefusedText(
      bytes: [0x22, 0x61, 0xFF, 0x22], "p:1:3: expected UTF-8, found the invalid byte 0xFF at offset 2",
      hint: "save the file as UTF-8"),
    RefusedText(bytes: [0x22, 0xC0, 0x80, 0x22], "p:1:2: expected UTF-8, found the invalid byte 0xC0 at offset 1"),
    RefusedText(
      bytes: [0x22, 0xED, 0xA0, 0x80, 0x22], "p:1:2: expected UTF-8, found the invalid byte 0xED at offset 1"),
    RefusedText(
      bytes: [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "p:1:2: expected UTF-8, found the invalid byte 0xF4 at offset 1"),
    RefusedText(
      bytes: [0x22, 0xE0, 0x80, 0x80, 0x22], "p:1:2: expected UTF-8, found the invalid byte 0xE0 at offset 1"),
    RefusedText(
      bytes: [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], "p:1:2: expected UTF-8, found the invalid byte 0xF0 at offset 1"),
    RefusedText(bytes: [0x22, 0xE2, 0x82, 0x22], "p:1:2: expected UTF-8, found the invalid byte 0xE2 at offset 1"),
    RefusedText(bytes: [0x22, 0xD0], "p:1:2: expected UTF-8, found the invalid byte 0xD0 at offset 1"),
    RefusedText(
      bytes: [0xFF, 0xFE, 0x7B, 0x00], "p:1:1: expected UTF-8, found a UTF-16 byte order mark at offset 0",
      hint: "save the file as UTF-8"),
    RefusedText(bytes: [0x5B, 0xC0, 0x5D], "p:1:2: expected UTF-8, found the invalid byte 0xC0 at offset 1"),
    RefusedText(bytes: [0x5B, 0x00, 0x5D], "p:1:2: expected a value, found '\\x00]'"),
    RefusedText(bytes: [0xEF, 0xBB, 0xBF, 0x78], "p:1:1: expected a value, found 'x'"),
  ]

  @Test(arguments: encodings)
  func `Bytes that are not UTF-8 are refused with their offset`(refused: RefusedText) {
    expect(refused)
  }

  @Test(arguments: [
    (#"{"a":1,"b":2,"a":3}"#, #"p:1:14: expected each key once, found "a" again (first at 1:2)"#),
    ("{\"a\":1,\n \"\\u0061\":3}", #"p:2:2: expected each key once, found "a" again (first at 1:2)"#),
    (#"[{"x":{"k":1,"k":1}}]"#, #"p:1:14: expected each key once, found "k" again (first at 1:8)"#),
    (
      "{" + (0..<40).map { "\"k\($0)\":0," }.joined() + #""k7":1,"k3":1}"#,
      #"p:1:312: expected each key once, found "k7" again (first at 1:51)"#
    ),
  ])
  func `A key that stands twice in one object is refused`(text: String, error: String) {
    expect(RefusedText(text, error))
  }

  @Test func `Keys that differ only in composition of accents are different keys`() throws {
    let root = try JSONDocument(text: "{\"\u{E9}\":1,\"e\u{301}\":2}").root
    #expect(root["\u{E9}"]?.integer == 1)
    #expect(root["e\u{301}"]?.integer == 2)
  }

  @Test func `Nesting is refused beyond the limit and taken at it`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONDocument(nested(64))
    #expect(throws: JSONError.self) { try JSONDocument(nested(65)) }
    let error = #expect(throws: JSONError.self) { try JSONDocument(nested(100_000), maximumDepth: 5) }
    #expect(error?.description == "1:6: expected at most 5 levels of nesting, found more")
    _ = try JSONDocument(nested(100_000), maximumDepth: 100_000)
  }

  @Test func `B-114: a text cut off at any byte is refused`() throws {
    let text = Array(
      #"{"schema": 1, "sources": [{"id": "é\u00e9", "n": -1.5e3, "x": [true, false, null]}], "y": {}}"#.utf8)
    _ = try JSONDocument(text)
    for length in 0..<text.count {
      #expect(throws: JSONError.self, "\(length)") { try JSONDocument(Array(text[..<length])) }
    }
  }

  @Test func `A text cut off inside a container says which one is open`() {
    let error = #expect(throws: JSONError.self) { try JSONDocument(text: "{\n \"sources\": [\n  1") }
    #expect(error?.description == "3:4: expected ',' or ']', found the end of the text")
    #expect(error?.hint == "the array begun at 2:13 is not closed; the text may have been cut off")
  }

  @Test func `Every single byte changed gives a document or an error, and never a trap`() {
    let text = Array(#"{"a": ["б\u00e9\ud83d\ude00", -1.5e3, {"c": true}], "d": null, "e": {}}"#.utf8)
    var accepted = 0
    for index in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        if let document = try? JSONDocument(changed) {
          accepted += 1
          #expect(document.root.verbatimBytes.count <= text.count)
        }
      }
    }
    #expect(accepted > text.count)
  }

  private func expect(_ refused: RefusedText, sourceLocation: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: JSONError.self, sourceLocation: sourceLocation) {
      try JSONDocument(refused.bytes, file: "p")
    }
    #expect(error?.description == refused.error, sourceLocation: sourceLocation)
    if let hint = refused.hint { #expect(error?.hint == hint, sourceLocation: sourceLocation) }
  }
}
