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

  /// The bytes of the lines `    0040  03 01 …`; what follows a `|` explains them.
  static func documentedBytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    for line in try String(contentsOf: document, encoding: .utf8).split(separator: "\n") where line.hasPrefix("    0") {
      let fields = line.prefix { $0 != "|" }.split(separator: " ")
      guard let offset = fields.first.flatMap({ Int($0, radix: 16) }), fields[0].count == 4 else { continue }
      #expect(offset == bytes.count, "line \(line)")
      bytes += fields.dropFirst().compactMap { UInt8($0, radix: 16) }
    }
    return bytes
  }

  @Test func `The worked example is what is written, byte for byte`() throws {
    let folder = try TemporaryFolder()
    var options = ShardWriter.Options()
    options.dataSet = "demo"
    _ = try write(Self.rows, to: folder.path("a"), options: options)
    let written = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a"))))
    let documented = try Self.documentedBytes()
    #expect(documented.count == written.count)
    let difference = zip(documented, written).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(difference == nil, "byte \(difference?.offset ?? -1)")
  }

  @Test func `The worked example is a sound shard of three rows`() throws {
    let folder = try TemporaryFolder()
    let shard = try Shard(folder.write(Self.documentedBytes(), to: "a"))
    try shard.verify()
    #expect(try ShardFormatTests.rows(of: shard) == Self.rows)
    #expect(try NaiveShard(folder.path("a")).rows == Self.rows)
  }
}
