import CallDirectory
import Foundation
import ShardFormat
import ShardWriting
import TestSupport
import Testing

/// The worked example of FileFormat.md is what the writer writes.
@Suite struct FileFormatTests {
  static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/ShardFormat/FileFormat.md").standardized

  static let rows = [
    Row(number: 74_951_234_567, isBlocked: false, label: "Bank"),
    Row(number: 74_951_234_570, isBlocked: true, label: "Café"),
    Row(number: 74_951_234_599, isBlocked: true, label: nil),
  ]

  /// The bytes of the lines `    0040  03 01 …` of an example; what follows a `|` explains them.
  static func documentedBytes(_ profile: ShardProfile) throws -> [UInt8] {
    try examples()[profile == .plain ? 0 : 1]
  }

  private static func examples() throws -> [[UInt8]] {
    var examples: [[UInt8]] = []
    for line in try String(contentsOf: document, encoding: .utf8).split(separator: "\n") where line.hasPrefix("    0") {
      let fields = line.prefix { $0 != "|" }.split(separator: " ")
      guard let offset = fields.first.flatMap({ Int($0, radix: 16) }), fields[0].count == 4 else { continue }
      if offset == 0 { examples.append([]) }
      let last = examples.count - 1
      #expect(offset == examples[last].count, "line \(line)")
      examples[last] += fields.dropFirst().compactMap { UInt8($0, radix: 16) }
    }
    try #require(examples.count == 3)
    return examples
  }

  /// The dictionary of the balanced example.
  static let dictionary = PhraseDictionary(
    PhraseList(
      phrases: [
        .init(bytes: Array("Bank".utf8), ends: true, nextContext: 0),
        .init(bytes: Array("Caf".utf8), ends: false, nextContext: 1),
        .init(bytes: Array("e".utf8), ends: true, nextContext: 0),
        .init(bytes: Array("é".utf8), ends: true, nextContext: 0),
      ], lengths: [[1, 1, 0, 0], [0, 0, 1, 1]]))

  private func written(_ profile: ShardProfile, _ folder: TemporaryFolder) throws -> [UInt8] {
    var options = ShardWriter.Options()
    options.dataSet = "demo"
    options.profile = profile
    let writer = try ShardWriter(folder.path("a"), options: options)
    for row in Self.rows { try append(row, to: writer) }
    _ = try writer.finish(dictionary: Self.dictionary)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a"))))
  }

  @Test(arguments: ShardProfile.allCases) func `The worked examples are what is written, byte for byte`(
    _ profile: ShardProfile
  ) throws {
    let written = try written(profile, try TemporaryFolder())
    let documented = try Self.documentedBytes(profile)
    #expect(documented.count == written.count)
    let difference = zip(documented, written).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(difference == nil, "byte \(difference?.offset ?? -1)")
  }

  @Test(arguments: ShardProfile.allCases) func `The worked examples are sound shards of three rows`(
    _ profile: ShardProfile
  ) throws {
    let folder = try TemporaryFolder()
    let shard = try Shard(folder.write(Self.documentedBytes(profile), to: "a"))
    try shard.verify()
    #expect(try ShardFormatTests.rows(of: shard) == Self.rows)
    #expect(try NaiveShard(folder.path("a")).rows == Self.rows)
  }

  @Test func `A shard of version 1.0 is read: the example without its checksums`() throws {
    let plain = try SoundShard(.plain, hasRuns: false)
    let old = plain.withoutBlockChecksums()
    #expect(old.count < plain.sound.count && old[10] == 0)
    #expect(try plain.examine(old) == plain.rows)
  }

  @Test(arguments: ShardProfile.allCases) func `A shard of version 1.1 is read: one without runs`(
    _ profile: ShardProfile
  ) throws {
    let shard = try SoundShard(profile, hasRuns: false)
    var old = shard.sound
    #expect(old[10] == 2)
    old[10] = 1
    #expect(try shard.examine(shard.resealed(old)) == shard.rows)
  }

  /// The example of a range: 10,000 numbers, blocked, with a label.
  static let range = RunShardTests.Piece(33_199_870_000, 10_000, isBlocked: true, "Démarchage")

  @Test func `The worked example of a range is what is written, byte for byte, and says what the range says`() throws {
    let folder = try TemporaryFolder()
    var options = ShardWriter.Options()
    options.dataSet = "demo"
    let writer = try ShardWriter(folder.path("a"), options: options)
    try RunShardTests.append(Self.range, to: writer)
    _ = try writer.finish()
    let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a"))))
    let documented = try Self.examples()[2]
    #expect(documented.count == written.count)
    let difference = zip(documented, written).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(difference == nil, "byte \(difference?.offset ?? -1)")
    let shard = try Shard(folder.write(documented, to: "b"))
    try shard.verify()
    #expect(try ShardFormatTests.rows(of: shard) == Self.range.rows)
    #expect(try NaiveShard(folder.path("b")).rows == Self.range.rows)
  }

  @Test func `A dictionary without codes for a label is refused, and nothing is left behind`() throws {
    let folder = try TemporaryFolder()
    var options = ShardWriter.Options()
    options.profile = .balanced
    let writer = try ShardWriter(folder.path("a"), options: options)
    try append(Row(number: 1, isBlocked: false, label: "Bänk"), to: writer)
    let error = #expect(throws: ShardError.self) { try writer.finish(dictionary: Self.dictionary) }
    #expect(error?.code == .entry)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}
