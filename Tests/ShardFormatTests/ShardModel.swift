import CallDirectory
import Foundation
import ShardFormat
import ShardWriting
import TestSupport

/// What a shard is to say, as a list of rows, and how to write and read it back.
typealias Row = NaiveShard.Row

func write(_ rows: [Row], to path: String, options: ShardWriter.Options = .init()) throws -> ShardSummary {
  let writer = try ShardWriter(path, options: options)
  for row in rows { try append(row, to: writer) }
  return try writer.finish()
}

func append(_ row: Row, to writer: ShardWriter) throws {
  guard let label = row.label else {
    return try writer.append(DirectoryEntry(number: PhoneNumber(row.number), isBlocked: row.isBlocked, label: nil))
  }
  try Array(label.utf8).withUnsafeBytes {
    try writer.append(DirectoryEntry(number: PhoneNumber(row.number), isBlocked: row.isBlocked, label: $0))
  }
}

extension Row {
  init(_ entry: DirectoryEntry) {
    self.init(
      number: entry.number.rawValue, isBlocked: entry.isBlocked,
      label: entry.label.map { String(decoding: $0, as: UTF8.self) })
  }
}

func rows(of shard: Shard) throws -> [Row] {
  var rows: [Row] = []
  try shard.forEachEntry { rows.append(Row($0)) }
  return rows
}

func labels(of number: Int64, in shard: Shard) -> [String] {
  var labels: [String] = []
  shard.forEachLabel(of: PhoneNumber(number)) { labels.append(String(decoding: $0, as: UTF8.self)) }
  return labels
}

/// Random rows: `count` of them, with gaps that make every width of the format come up, `blocked` and `labelled` per mille.
func randomRows(
  _ count: Int, seed: UInt64, blocked: Int = 300, labelled: Int = 800, repeats: Int = 0, gap: Int64 = 1 << 40
) -> [Row] {
  var random = SeededGenerator(seed: seed)
  var number: Int64 = 0
  var rows: [Row] = []
  while rows.count < count {
    if let last = rows.last, last.label != nil, Int.random(in: 0..<1000, using: &random) < repeats {
      rows.append(Row(number: last.number, isBlocked: false, label: "\(rows.count)"))
      continue
    }
    let scale = gap >> Int64.random(in: 0..<40, using: &random)
    number += Int64.random(in: 1...max(1, scale), using: &random)
    let isBlocked = Int.random(in: 0..<1000, using: &random) < blocked
    let hasLabel = !isBlocked || Int.random(in: 0..<1000, using: &random) < labelled
    let length = Int.random(in: 1...12, using: &random)
    let alphabet = Array("aä漢😀\t\\x")
    let label = String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
    rows.append(Row(number: number, isBlocked: isBlocked, label: hasLabel ? label : nil))
  }
  return rows
}
