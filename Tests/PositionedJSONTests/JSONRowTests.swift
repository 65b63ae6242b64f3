import TestSupport
import Testing

@testable import PositionedJSON

@Suite("Rows of a large JSON text")
struct JSONRowTests {
  /// Reads one value with the streaming reader: where it ends, nil when it is broken.
  private func end(of bytes: [UInt8], _ reader: JSONFieldReader) -> Int? {
    let padded = bytes + [UInt8](repeating: 0x22, count: 16)
    return padded.withUnsafeBytes { bytes in
      withUnsafeTemporaryAllocation(byteCount: padded.count, alignment: 8) { scratch -> Int? in
        guard let base = bytes.baseAddress, let target = scratch.baseAddress else { return nil }
        return reader.read(from: base, to: base + bytes.count - 16, scratch: target).map { $0 - base }
      }
    }
  }

  private static let sample =
    #"{"a":[1,-2.5e+7,{"b":"\u0416\ud83d\ude00\n","":"Жук и дом № 5"}],"a.b":true,"x":null,"long key 1":0,"long key 2":0}"#

  @Test("A value with any byte changed, taken away or doubled is right exactly where the document's parser says so")
  func agreement() {
    let reader = JSONFieldReader(JSONFieldTree([JSONFieldPath("a.b")]), severalSlot: 0)
    var generator = SeededGenerator(seed: 11)
    let text = Array(Self.sample.utf8)
    let interesting = Array(#"{}[]",:\u0n1e.-+ dD8tfJ"#.utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF4, 0xFF, 0x0A]
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bytes[place], at: place)
        case 2: bytes[place] = interesting.randomElement(using: &generator) ?? 0
        default: bytes.insert(interesting.randomElement(using: &generator) ?? 0, at: place)
        }
      }
      let found = end(of: bytes, reader)
      // The document's parser looks for the end of the text too, and takes blanks before the value.
      let fault = bytes.withUnsafeBytes { JSONParser.firstFault(in: $0, .value, maximumDepth: 64) }
      let isBlankBefore = [0x20, 0x0A, 0x0D, 0x09].contains(bytes.first ?? 0)
      if !isBlankBefore {
        #expect((found == nil) == (fault != nil), "\(String(decoding: bytes, as: UTF8.self))")
      }
      if let found { #expect((try? JSONDocument(Array(bytes[..<found]))) != nil) }
      if found != nil { accepted += 1 }
    }
    #expect(accepted > 1000)
  }

  @Test("Each prefix of a value is broken, whatever stands in memory behind it")
  func prefixes() {
    let reader = JSONFieldReader(JSONFieldTree([JSONFieldPath("a")]), severalSlot: -1)
    let text = Array(Self.sample.utf8)
    for count in 0..<text.count { #expect(end(of: Array(text[..<count]), reader) == nil) }
    #expect(end(of: text, reader) == text.count)
  }

  @Test("Keys are told apart by their text: doubled ones are broken in objects of any size, also when escaped")
  func duplicates() {
    let reader = JSONFieldReader(JSONFieldTree([]), severalSlot: -1)
    for count in [2, 16, 17, 100] {
      let members = (0..<count).map { "\"key number \($0)\":{\"key number 1\":\($0)}" }
      #expect(end(of: Array(("{" + members.joined(separator: ",") + "}").utf8), reader) != nil)
      for double in [#""key number 1":0"#, #""key\u0020number 0":0"#] {
        let text = "[{" + (members + [double]).joined(separator: ",") + "}]"
        #expect(end(of: Array(text.utf8), reader) == nil, "\(count) \(double)")
      }
    }
  }

  @Test("Nesting is bounded as in documents")
  func depth() {
    let reader = JSONFieldReader(JSONFieldTree([]), severalSlot: -1, maximumDepth: 5)
    for depth in 1...7 {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect((end(of: Array(text.utf8), reader) != nil) == (depth <= 5))
    }
  }

  @Test("The scan finds the last comma between rows, wherever strings, escapes and brackets stand (64-byte borders)")
  func scan() {
    var generator = SeededGenerator(seed: 5)
    let pieces = [
      ",", ",", "\"", "\"", "\\\"", "\\\\", "{", "}", "[", "]", "a", "\\", "  ", "long text without any mark in it",
      "Ж",
    ]
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0..<60, using: &generator) { text += pieces.randomElement(using: &generator) ?? "" }
      let bytes = Array(text.utf8)
      let found = bytes.withUnsafeBytes { JSONRowScan.lastRowEnd(in: $0) }
      #expect(found == naiveLastRowEnd(bytes), "\(text)")
    }
  }

  private func naiveLastRowEnd(_ bytes: [UInt8]) -> Int? {
    var depth = 0
    var inString = false
    var isEscaped = false
    var last: Int?
    for (index, byte) in bytes.enumerated() {
      let escapes = byte == UInt8(ascii: "\\") && !isEscaped
      defer { isEscaped = escapes }
      if byte == UInt8(ascii: "\""), !isEscaped { inString.toggle() }
      if inString { continue }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return last }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: last = index + 1
      default: break
      }
    }
    return last
  }

  @Test("Paths are names with points between them; a backslash makes the next character a part of a name")
  func paths() {
    #expect(JSONFieldPath("$key").target == .rowName && JSONFieldPath("$value").target == .rowValue)
    #expect(JSONFieldPath(#"\$key"#).target == .member(["$key"]))
    #expect(JSONFieldPath(#"a\.b.c"#).target == .member(["a.b", "c"]))
    #expect(JSONFieldPath.names("") == [] && JSONFieldPath.names("a.") == ["a", ""])
    for names in [["a.b", "c"], ["\\"], ["$value"], ["", ""], ["ключ"]] {
      #expect(JSONFieldPath(JSONFieldPath.text(names)).target == .member(names))
    }
  }
}
