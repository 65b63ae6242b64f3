import Foundation
import PositionedJSON
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  private func write(_ layout: JSONWriter.Layout, _ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(layout)
    body(&writer)
    return String(decoding: writer.finish(), as: UTF8.self)
  }

  private func sample(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("schema", "shardctl.test/1")
    writer.member("count", 3)
    writer.member("missing", nil as String?)
    writer.member("none", nil as Int?)
    writer.member("on", true)
    writer.member("share", 0.25, places: 3)
    writer.key("empty")
    writer.beginArray()
    writer.endArray()
    writer.member("ids", ["a", "b"])
    writer.key("loads")
    writer.beginArray()
    for id in 1...2 {
      writer.beginObject(inline: true)
      writer.member("id", id)
      writer.key("inner")
      writer.beginObject()
      writer.endObject()
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  @Test func `The pretty layout has one member per line and keeps inline containers on one`() {
    #expect(
      write(.pretty, sample) == """
        {
          "schema": "shardctl.test/1",
          "count": 3,
          "missing": null,
          "none": null,
          "on": true,
          "share": 0.250,
          "empty": [],
          "ids": ["a", "b"],
          "loads": [
            { "id": 1, "inner": {} },
            { "id": 2, "inner": {} }
          ]
        }

        """)
  }

  @Test func `The compact layout has no spaces`() {
    #expect(
      write(.compact, sample)
        == #"{"schema":"shardctl.test/1","count":3,"missing":null,"none":null,"on":true,"share":0.250,"empty":[],"#
        + #""ids":["a","b"],"loads":[{"id":1,"inner":{}},{"id":2,"inner":{}}]}"# + "\n")
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("\"quote\" \\ /", #""\"quote\" \\ /""#), ("a\tb\nc\rd\u{8}\u{C}", #""a\tb\nc\rd\b\f""#),
    ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("Аптека 🍕", "\"Аптека 🍕\""), ("", #""""#),
  ])
  func `C-08: text is escaped so that it reads back as it was`(text: String, expected: String) throws {
    let written = write(.compact) { $0.string(text) }
    #expect(written == expected + "\n")
    #expect(try JSONDocument(text: written).root.string == text)
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xD0], "\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
      ([0xD0, 0x90, 0x22], "А\""),
    ] as [([UInt8], String)])
  func `Bytes that are not UTF-8 are replaced, and the text stays valid`(bytes: [UInt8], expected: String) throws {
    let written = write(.compact) { writer in bytes.withUnsafeBufferPointer { writer.string(utf8: $0) } }
    #expect(try JSONDocument(text: written).root.string == expected)
  }

  @Test(arguments: [
    (0.0, 3, "0.000"), (1.0005, 2, "1.00"), (0.9996, 3, "1.000"), (-1.25, 1, "-1.3"), (-0.001, 2, "0.00"),
    (12.07, 2, "12.07"), (3.7, 0, "4"), (Double.nan, 2, "null"), (Double.infinity, 2, "null"), (1e300, 2, "null"),
  ])
  func `A double is rounded to a fixed number of places`(number: Double, places: Int, expected: String) {
    #expect(write(.compact) { $0.double(number, places: places) } == expected + "\n")
  }

  @Test func `Numbers of every width read back exactly`() throws {
    for number in [Int.min, -1, 0, 9, 10, 74_951_234_567, Int.max] {
      #expect(try JSONDocument(text: write(.pretty) { $0.int(number) }).root.integer == number)
    }
    #expect(write(.compact) { $0.int(UInt64.max) } == "18446744073709551615\n")
    for number in [0.1, -1e-300, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e20] {
      #expect(try JSONDocument(text: write(.compact) { $0.double(number) }).root.double == number)
    }
  }

  @Test func `Long output can be taken in pieces`() {
    var writer = JSONWriter(.compact)
    writer.beginArray()
    var pieces = writer.take()
    for number in 0..<5 {
      writer.int(number)
      pieces += writer.take()
    }
    writer.endArray()
    pieces += writer.finish()
    #expect(String(decoding: pieces, as: UTF8.self) == "[0,1,2,3,4]\n")
  }

  @Test func `Random documents are read by an independent reader and by our own to the same values`() throws {
    var generator = SeededGenerator(seed: 20)
    let alphabet: [Character] = ["a", "\"", "\\", "\n", "é", "Ж", "🍕", "\u{1}", "/", " "]
    for layout in [JSONWriter.Layout.compact, .pretty] {
      for _ in 0..<200 {
        var writer = JSONWriter(layout)
        var texts: [String] = []
        writer.beginObject(inline: Bool.random(using: &generator))
        for index in 0..<Int.random(in: 0...6, using: &generator) {
          let count = Int.random(in: 0...8, using: &generator)
          let text = String((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? "a" })
          texts.append(text)
          writer.key("k\(index)\(text)")
          writer.beginArray(inline: Bool.random(using: &generator))
          writer.string(text)
          writer.endArray()
        }
        writer.endObject()
        let bytes = writer.finish()
        let own = try JSONDocument(bytes).root
        #expect(own.members.map { $0.value.elements.first { _ in true }?.string } == texts)
        let foreign = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: [String]])
        for member in own.members { #expect(foreign[member.key] == member.value.elements.compactMap(\.string)) }
      }
    }
  }
}
