import PositionedJSON
import TestSupport
import Testing

@Suite struct JSONValueTests {
  @Test(arguments: [
    (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u041c\u043E""#, "Мо"),
    (#""\ud83c\udf55 pizza""#, "🍕 pizza"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""a\u0000b""#, "a\0b"),
    (#""\\u0041""#, "\\u0041"), ("\"Pizza 🍕\"", "Pizza 🍕"), (#""""#, ""),
  ])
  func `A string gives its text with escapes resolved`(text: String, expected: String) throws {
    #expect(try JSONDocument(text: text).root.asString() == expected)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("74951234567", 74_951_234_567), ("9223372036854775807", Int.max),
      ("-9223372036854775808", Int.min), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil),
      ("1e3", nil), ("99999999999999999999999999", nil), ("\"1\"", nil), ("true", nil),
    ] as [(String, Int?)])
  func `A whole number converts exactly or not at all`(text: String, expected: Int?) throws {
    #expect(try JSONDocument(text: text).root.integer == expected)
  }

  @Test(
    arguments: [
      ("0.3", 0.3), ("-1.5e-3", -0.0015), ("12", 12), ("1e999", nil), ("-1e999", nil), ("1e-999", 0), ("null", nil),
    ] as [(String, Double?)])
  func `A number converts to the nearest double within its range`(text: String, expected: Double?) throws {
    #expect(try JSONDocument(text: text).root.double == expected)
  }

  @Test func `Members and elements keep the order and the spelling of the text`() throws {
    let root = try JSONDocument(text: #"{"b": 1.50, "a": [ 2 , {"c" : "\u0041"} ], "0": {}}"#).root
    #expect(root.members.map(\.key) == ["b", "a", "0"])
    #expect(root.members.map(\.value.verbatim) == ["1.50", #"[ 2 , {"c" : "\u0041"} ]"#, "{}"])
    let array = try #require(root["a"])
    #expect(array.elements.map(\.kind) == [.number, .object])
    #expect(array.elements.count == 2)
    #expect(array.members.count == 0)
    #expect(root["c"] == nil)
    #expect(array["c"] == nil)
  }

  @Test func `A value knows its bytes, its line and column in characters, and its key path`() throws {
    let text = "\u{FEFF}{\r\n \"имя\": \"Аптека\", \"x\": [1,\r {\"a b\": 2, \"c\": {\"d\": 3}}]\n}"
    let root = try JSONDocument(Array(text.utf8), file: "plan.json").root
    #expect(root.position.description == "1:1")
    #expect(root.position.offset == 3)
    #expect(root.keyPath == "")
    let name = try #require(root["имя"])
    #expect(name.position.description == "2:9")
    #expect(name.keyPath == "имя")
    #expect(
      Array(text.utf8[text.utf8.index(text.utf8.startIndex, offsetBy: name.byteRange.lowerBound)...].prefix(13))
        == Array("\"Аптека\"".utf8.prefix(13)))
    let last = try #require(root["x"]?.elements.map { $0 }.last)
    #expect(last.position.description == "3:2")
    #expect(last.keyPath == "x[1]")
    let spaced = try #require(last["a b"])
    #expect(spaced.keyPath == #"x[1]["a b"]"#)
    let deep = try #require(last["c"]?["d"])
    #expect(deep.keyPath == "x[1].c.d")
    #expect(deep.mismatch("a string").description == "plan.json:3:24: x[1].c.d: expected a string, found 3")
  }

  @Test func `Every value of a generated document gets back its own key path`() throws {
    var generator = SeededGenerator(seed: 7)
    var expected: [String] = []
    func build(_ path: String, _ depth: Int) -> String {
      expected.append(path)
      let count = Int.random(in: 0...3, using: &generator)
      switch depth < 5 ? Int.random(in: 0...2, using: &generator) : 0 {
      case 1: return "[" + (0..<count).map { build("\(path)[\($0)]", depth + 1) }.joined(separator: " ,") + "]"
      case 2:
        let members = (0..<count).map { "\"k\($0)\":" + build(path.isEmpty ? "k\($0)" : "\(path).k\($0)", depth + 1) }
        return "{" + members.joined(separator: ", ") + "}"
      default: return "1"
      }
    }
    for _ in 0..<50 {
      expected = []
      let root = try JSONDocument(text: build("", 0)).root
      var found: [String] = []
      func visit(_ value: JSONValue) {
        found.append(value.keyPath)
        for element in value.elements { visit(element) }
        for member in value.members { visit(member.value) }
      }
      visit(root)
      #expect(found == expected)
    }
  }
}
