import CallDirectory
import Foundation
import ShardFormat
import ShardWriting
import SystemSupport
import TestSupport
import Testing

@Suite struct ShardWriterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ body: () throws -> Void) -> ShardError? {
    do {
      try body()
      return nil
    } catch { return error as? ShardError }
  }

  static let disorders: [(previous: Int64, number: Int64)] = [(9, 9), (9, 7), (9, 0), (9, -1), (1, 1), (.max, .min)]

  @Test(arguments: disorders) func `B-049, B-053, R-ORD-5: An entry out of order is refused with its neighbours`(
    _ pair: (previous: Int64, number: Int64)
  ) throws {
    let writer = try ShardWriter(folder.path("a"))
    try append(Row(number: pair.previous, isBlocked: true, label: nil), to: writer)
    let error = error { try append(Row(number: pair.number, isBlocked: true, label: "x"), to: writer) }
    if pair.number >= 1 {
      #expect(error?.code == .order)
      #expect(error?.neighbours?.index == 1)
      #expect(error?.neighbours?.previous == pair.previous)
      #expect(error?.neighbours?.number == pair.number)
      #expect("\(try #require(error))".contains("\(pair.previous)"))
    } else {
      #expect(error?.code == .entry)
    }
    // The entry was not taken, and the writer goes on.
    #expect(try writer.finish().counts == EntryCounts(blocking: 1))
    #expect(try NaiveShard(folder.path("a")).rows.map(\.number) == [pair.previous])
  }

  @Test(arguments: [Int64(0), -1, .min]) func `A number below 1 is refused (R-ORD-3)`(_ number: Int64) throws {
    let writer = try ShardWriter(folder.path("a"))
    #expect(error { try append(Row(number: number, isBlocked: true, label: nil), to: writer) }?.code == .entry)
  }

  @Test func `An entry in no family, and labels a phone drops, are refused (R-ENT-3)`() throws {
    let writer = try ShardWriter(folder.path("a"))
    #expect(error { try append(Row(number: 1, isBlocked: false, label: nil), to: writer) }?.code == .entry)
    #expect(error { try append(Row(number: 1, isBlocked: true, label: ""), to: writer) }?.code == .entry)
    let long = String(repeating: "x", count: 65_535)
    #expect(error { try append(Row(number: 1, isBlocked: true, label: long), to: writer) }?.code == .entry)
    #expect(try writer.finish().rowCount == 0)
  }

  static let notUTF8: [[UInt8]] = [
    [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xE0, 0x80, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80],
    [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    [0xD0, 0xA1, 0xD0, 0xA1, 0xD0, 0xA1, 0xC1, 0xA1], [0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0xD0],
    [0xD0, 0xA1, 0xD0, 0xA1, 0xD0, 0xA1, 0xD0, 0x21],
  ]

  @Test(arguments: notUTF8) func `A label that is no UTF-8 is refused`(_ label: [UInt8]) throws {
    let writer = try ShardWriter(folder.path("a"))
    #expect(String(validating: label, as: UTF8.self) == nil)
    let error = error {
      try label.withUnsafeBytes {
        try writer.append(DirectoryEntry(number: PhoneNumber(1), isBlocked: false, label: $0))
      }
    }
    #expect(error?.code == .entry)
  }

  @Test func `Every label that is UTF-8 is taken, every other one refused, as the standard library sees it`() throws {
    var random = SeededGenerator(seed: 30)
    let pieces: [[UInt8]] = ["a", "ж", "漢", "😀", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}"].map { Array($0.utf8) }
    let writer = try ShardWriter(folder.path("a"))
    for number in 1...20_000 {
      var label = (0..<Int.random(in: 1...9, using: &random)).flatMap { _ in pieces.randomElement(using: &random) ?? []
      }
      if Bool.random(using: &random) {
        label[Int.random(in: 0..<label.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let error = error {
        try label.withUnsafeBytes {
          try writer.append(DirectoryEntry(number: PhoneNumber(Int64(number)), isBlocked: false, label: $0))
        }
      }
      #expect((error == nil) == (String(validating: label, as: UTF8.self) != nil), "\(label)")
    }
  }

  @Test func `Without permission a number does not come twice; with it only further labels do (R-INC-5)`() throws {
    let writer = try ShardWriter(folder.path("a"))
    try append(Row(number: 5, isBlocked: true, label: "a"), to: writer)
    let refused = error { try append(Row(number: 5, isBlocked: false, label: "b"), to: writer) }
    #expect(refused?.code == .order)
    #expect(refused?.fix.contains("merge") == true)

    var options = ShardWriter.Options()
    options.allowsRepeats = true
    let store = try ShardWriter(folder.path("b"), options: options)
    try append(Row(number: 4, isBlocked: true, label: nil), to: store)
    #expect(error { try append(Row(number: 4, isBlocked: false, label: "b"), to: store) }?.code == .order)
    try append(Row(number: 5, isBlocked: true, label: "a"), to: store)
    try append(Row(number: 5, isBlocked: false, label: "b"), to: store)
    #expect(error { try append(Row(number: 5, isBlocked: true, label: "c"), to: store) }?.code == .order)
    #expect(error { try append(Row(number: 5, isBlocked: true, label: nil), to: store) }?.code == .order)
    #expect(try store.finish().numberCount == 2)
    #expect(labels(of: 5, in: try Shard(folder.path("b"))) == ["a", "b"])
  }

  @Test func `Until it is finished nothing has the name, and nothing is left of a writer that gives up`() throws {
    let path = try folder.write("old", to: "a")
    for giveUp in [true, false] {
      let writer = try ShardWriter(path)
      try append(Row(number: 5, isBlocked: true, label: nil), to: writer)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
      if giveUp {
        writer.abort()
        #expect(throws: ShardError.self) { try writer.finish() }
      }
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test func `A finished writer takes nothing more and keeps its file`() throws {
    let writer = try ShardWriter(folder.path("a"))
    _ = try writer.finish()
    #expect(error { try append(Row(number: 5, isBlocked: true, label: nil), to: writer) }?.code == .closed)
    #expect(error { _ = try writer.finish() }?.code == .closed)
    writer.abort()
    #expect(try Shard(folder.path("a")).rowCount == 0)
  }

  @Test func `A folder that is missing is the system's error`() {
    #expect(throws: SystemError.self) { try ShardWriter(folder.path("none/a")) }
  }
}
