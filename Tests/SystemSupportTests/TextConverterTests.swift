import Foundation
import Testing

@testable import SystemSupport

@Suite("Text in other encodings")
struct TextConverterTests {
  /// "Ж" and "é" or "中" in each encoding, written by hand from the code charts, with the UTF-8 they stand for.
  struct Sample: Sendable, CustomTestStringConvertible {
    var encoding: String
    var bytes: [UInt8]
    var text: String
    var testDescription: String { encoding }
  }

  static let samples = [
    Sample(encoding: "CP1251", bytes: [0x41, 0xC6, 0xB8, 0x0A, 0xB9], text: "AЖё\n№"),
    Sample(encoding: "CP1252", bytes: [0x41, 0xE9, 0x80, 0x0D, 0x9F], text: "Aé€\rŸ"),
    Sample(encoding: "ISO-8859-1", bytes: [0x41, 0xE9, 0xFF, 0xA0], text: "Aéÿ\u{A0}"),
    Sample(encoding: "KOI8-R", bytes: [0x41, 0xF6, 0xC1, 0xB3], text: "AЖаЁ"),
    Sample(encoding: "UTF-16LE", bytes: [0x41, 0, 0x16, 0x04, 0x3D, 0xD8, 0x00, 0xDE, 0x0A, 0], text: "AЖ😀\n"),
    Sample(encoding: "UTF-16BE", bytes: [0, 0x41, 0x04, 0x16, 0xD8, 0x3D, 0xDE, 0x00, 0, 0x0A], text: "AЖ😀\n"),
    Sample(
      encoding: "GB18030", bytes: [0x41, 0xD6, 0xD0, 0x81, 0x30, 0x81, 0x30, 0x94, 0x39, 0xFC, 0x36], text: "A中\u{80}😀"),
  ]

  /// Converts `bytes`, given `block` at a time, with room for `room` bytes of output.
  private func convert(_ bytes: [UInt8], from encoding: String, block: Int, room: Int = 64) throws -> [UInt8] {
    let converter = try TextConverter(from: encoding)
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: room)
    var start = 0
    while start < bytes.count {
      var pending = Array(bytes[start..<min(start + block, bytes.count)])
      start += pending.count
      while !pending.isEmpty {
        let (taken, written) = try pending.withUnsafeBytes { input in
          try buffer.withUnsafeMutableBytes { try converter.convert(input, into: $0) }
        }
        output += buffer[..<written]
        pending.removeFirst(taken)
      }
    }
    try converter.finish()
    return output
  }

  @Test("Every encoding becomes UTF-8, wherever the blocks end and however little room there is", arguments: samples)
  func blocks(sample: Sample) throws {
    let bytes = (0..<40).flatMap { _ in sample.bytes }
    let expected = Array(String(repeating: sample.text, count: 40).utf8)
    for block in Array(1...40) + [bytes.count] {
      for room in [16, 17, 19, 100] {
        #expect(try convert(bytes, from: sample.encoding, block: block, room: room) == expected)
      }
    }
  }

  @Test("The first invalid byte is named with its offset, wherever the blocks end (B-122)")
  func invalid() throws {
    for (encoding, bad) in [
      ("CP1251", [0x98]), ("CP1252", [0x81]), ("GB18030", [0xFF]), ("GB18030", [0x81, 0x20]),
      ("UTF-16LE", [0x00, 0xDC]), ("UTF-16BE", [0xD8, 0x00, 0x00, 0x41]),
    ] as [(String, [UInt8])] {
      let sample = try #require(Self.samples.first { $0.encoding == encoding })
      let good = (0..<5).flatMap { _ in sample.bytes }
      for block in 1...(good.count + bad.count) {
        let error = try #require(throws: TextConverter.InvalidText.self) {
          try convert(good + bad + sample.bytes, from: encoding, block: block)
        }
        #expect(error == .init(offset: good.count, byte: bad[0], isTruncated: false), "\(encoding), blocks of \(block)")
      }
    }
  }

  @Test("A text that ends within a character is said to")
  func truncated() throws {
    for (encoding, end) in [
      ("UTF-16LE", [0x41]), ("UTF-16LE", [0x3D, 0xD8]), ("UTF-16BE", [0xD8, 0x3D, 0xDE]), ("GB18030", [0xD6]),
      ("GB18030", [0x94, 0x39, 0xFC]),
    ] as [(String, [UInt8])] {
      let sample = try #require(Self.samples.first { $0.encoding == encoding })
      for block in 1...(sample.bytes.count + end.count) {
        let error = try #require(throws: TextConverter.InvalidText.self) {
          try convert(sample.bytes + end, from: encoding, block: block)
        }
        #expect(error == .init(offset: sample.bytes.count, byte: end[0], isTruncated: true))
      }
    }
  }

  @Test("An encoding that is not known is an error with its name")
  func unavailable() {
    let error = #expect(throws: TextConverter.Unavailable.self) { try TextConverter(from: "NO-SUCH-TEXT") }
    #expect(error?.encoding == "NO-SUCH-TEXT")
  }
}
