import PositionedJSON
import TestSupport
import Testing

@Suite struct JSONObjectReaderTests {
  enum Colour: String, CaseIterable {
    case red, green, blue
  }

  private let reader: JSONObjectReader

  init() throws {
    let text = """
      { "name": "x", "count": 3, "share": 0.5, "on": true, "list": ["a", "b"], "colour": "green",
        "inner": { "depth": 1 }, "nothing": null, "mixed": ["a", 1], "wrong": "gren", "lable": 1 }
      """
    reader = try JSONDocument(Array(text.utf8), file: "f").root.asObject()
  }

  @Test func `Required members come back typed`() throws {
    #expect(try reader.string("name") == "x")
    #expect(try reader.int("count", in: 1...3) == 3)
    #expect(try reader.double("share") == 0.5)
    #expect(try reader.bool("on"))
    #expect(try reader.strings("list") == ["a", "b"])
    #expect(try reader.array("list").count == 2)
    #expect(try reader.choice("colour", of: Colour.self) == .green)
    #expect(try reader.object("inner").int("depth") == 1)
  }

  @Test func `Optional members are nil when absent or null, as the writer writes nil`() throws {
    #expect(try reader.optionalString("nothing") == nil)
    #expect(try reader.optionalInt("nothing") == nil)
    #expect(try reader.optionalDouble("nothing") == nil)
    #expect(try reader.optionalBool("nothing") == nil)
    #expect(try reader.optionalStrings("nothing") == nil)
    #expect(try reader.optionalArray("nothing") == nil)
    #expect(try reader.optionalObject("nothing") == nil)
    #expect(try reader.optionalChoice("nothing", of: Colour.self) == nil)
    #expect(reader["nothing"]?.isNull == true)
    #expect(try reader.optionalString("absent") == nil)
    #expect(try reader.optionalInt("absent") == nil)
    #expect(try reader.optionalDouble("absent") == nil)
    #expect(try reader.optionalBool("absent") == nil)
    #expect(try reader.optionalStrings("absent") == nil)
    #expect(try reader.optionalArray("absent") == nil)
    #expect(try reader.optionalObject("absent") == nil)
    #expect(try reader.optionalChoice("absent", of: Colour.self) == nil)
    #expect(try reader.optionalString("name") == "x")
  }

  @Test func `A member of the wrong type or range says what was expected and found`() {
    expect("f:1:25: count: expected a string, found 3") { try reader.string("count") }
    expect("f:1:11: name: expected a whole number, found \"x\"") { try reader.int("name") }
    expect("f:1:25: count: expected a whole number from 4 to 9, found 3") { try reader.int("count", in: 4...9) }
    expect("f:1:25: count: expected a whole number from 4, found 3") { try reader.int("count", in: 4...Int.max) }
    expect("f:1:37: share: expected a whole number, found 0.5") { try reader.int("share") }
    expect("f:1:11: name: expected a number, found \"x\"") { try reader.double("name") }
    expect("f:1:11: name: expected true or false, found \"x\"") { try reader.bool("name") }
    expect("f:1:48: on: expected an array, found true") { try reader.array("on") }
    expect("f:1:48: on: expected an array of strings, found true") { try reader.strings("on") }
    expect("f:2:60: mixed[1]: expected a string, found 1") { try reader.strings("mixed") }
    expect("f:1:62: list: expected an object, found an array") { try reader.object("list") }
    expect("f:2:39: nothing: expected a string, found null") { try reader.string("nothing") }
    expect("f:1:25: count: expected a string, found 3") { try reader.optionalString("count") }
    expect(
      "f:2:73: wrong: expected \"red\", \"green\" or \"blue\", found \"gren\"", hint: "did you mean \"green\"?"
    ) { try reader.choice("wrong", of: Colour.self) }
  }

  @Test func `A required member that is absent is an error at the object`() {
    expect("f:2:12: inner: expected the key \"id\", found none") { try reader.object("inner").string("id") }
    expect("f:1:1: expected the key \"label\", found none", hint: "is \"lable\" meant to be it?") {
      try reader.string("label")
    }
  }

  @Test func `Unknown members are errors at their keys with the nearest known key`() {
    let known = ["name", "count", "share", "on", "list", "colour", "inner", "nothing", "mixed", "label"]
    let errors = reader.unknownKeyErrors(besides: known)
    #expect(
      errors.map(\.description) == [#"f:2:64: wrong: unknown key "wrong""#, #"f:2:81: lable: unknown key "lable""#])
    #expect(errors.last?.hint == #"did you mean "label"?"#)
    #expect(errors.first?.hint == "known keys: " + known.joined(separator: ", "))
    expect(#"f:2:64: wrong: unknown key "wrong""#) { try reader.refuseUnknownKeys(besides: known) }
  }

  private func expect<T>(
    _ text: String, hint: String? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> T
  ) {
    let error = #expect(throws: JSONError.self, sourceLocation: sourceLocation) { _ = try body() }
    #expect(error?.description == text, sourceLocation: sourceLocation)
    if let hint { #expect(error?.hint == hint, sourceLocation: sourceLocation) }
  }
}
