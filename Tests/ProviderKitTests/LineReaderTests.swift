import ProviderKit
import TestSupport
import Testing

@Suite struct LineReaderTests {
  private func lines(_ text: [UInt8]) throws -> [String] {
    let folder = try TemporaryFolder()
    let reader = try LineReader(folder.write(text, to: "lines.txt"))
    var lines: [String] = []
    while let line = try reader.next() {
      lines.append(String(decoding: line, as: UTF8.self))
      #expect(reader.lineNumber == lines.count)
    }
    return lines
  }

  @Test(
    "lines end with LF or CRLF, the last one also without",
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("\n\n", ["", ""]),
      ("\u{FEFF}a\n\u{FEFF}b\n", ["a", "\u{FEFF}b"]), ("a\rb\n", ["a\rb"]), ("\r\n", [""]),
    ] as [(String, [String])])
  func lineEnds(text: String, expected: [String]) throws { #expect(try lines(Array(text.utf8)) == expected) }

  @Test func aFileLongerThanTheBufferIsReadWhole() throws {
    var generator = SeededGenerator(seed: 3)
    let expected = (0..<2_000).map { "\($0) " + String(repeating: "x", count: .random(in: 0...900, using: &generator)) }
    #expect(try lines(Array(expected.joined(separator: "\n").utf8)) == expected)
  }

  @Test func aLineOfTheGreatestLengthIsReadAndALongerOneNamesItsPlace() throws {
    let longest = [UInt8](repeating: 0x61, count: LineReader.maximumLine)
    #expect(try lines([0x62, 0x0A] + longest + [0x0A]).last?.utf8.count == LineReader.maximumLine)
    let error = #expect(throws: ProviderFailure.self) {
      try lines([0x62, 0x0A] + longest + [UInt8](repeating: 0x61, count: 40_000))
    }
    #expect(error?.message.contains("lines.txt:2: longer than 100000 bytes") == true)
  }

  @Test func aMissingFileIsUnavailableDataAndAFolderToo() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: ProviderFailure.self) { try LineReader(folder.path("none")) }
    #expect(missing?.status == 32)
    #expect(missing?.message.contains("none: cannot open: No such file or directory") == true)
    let unreadable = #expect(throws: ProviderFailure.self) { try LineReader(folder.path).next() }
    #expect(unreadable?.status == 32)
  }

  @Test(
    "a number is 1 to 18 digits with or without a plus",
    arguments: [
      ("74951234567", 74_951_234_567), ("+1", 1), ("0", 0), ("999999999999999999", 999_999_999_999_999_999),
      ("1000000000000000000", nil), ("", nil), ("+", nil), ("++1", nil), ("-1", nil), (" 1", nil), ("1 ", nil),
      ("12a", nil), ("１", nil),
    ] as [(String, Int64?)])
  func numbers(text: String, expected: Int64?) {
    #expect(Array(text.utf8).withUnsafeBytes { NumberText.parse($0) } == expected)
  }
}
