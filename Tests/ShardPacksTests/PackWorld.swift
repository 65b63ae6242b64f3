import CallDirectory
import Digests
import Foundation
import ShardFormat
import ShardPacks
import ShardWriting
import TestSupport

/// Packs of a provider on the disk, and what they are to say together.
struct PackWorld {
  /// What a number has.
  struct Entry: Hashable {
    var isBlocked = false
    var label: String?
  }

  let folder: TemporaryFolder
  /// By pack: by number, what it says.
  var packs: [String: [Int64: Entry]]

  init(_ packs: [String: [Int64: Entry]] = [:]) throws {
    folder = try TemporaryFolder()
    self.packs = packs
  }

  var names: [String] { packs.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// All that the packs of these names say.
  func merged(_ names: [String]) -> [Int64: Entry] {
    var merged: [Int64: Entry] = [:]
    for name in names {
      for (number, entry) in packs[name] ?? [:] {
        merged[number, default: Entry()].isBlocked = merged[number]?.isBlocked ?? false || entry.isBlocked
        if let label = entry.label { merged[number]?.label = label }
      }
    }
    return merged
  }

  static func counts(_ entries: [Int64: Entry]) -> EntryCounts {
    EntryCounts(
      blocking: entries.values.count { $0.isBlocked }, identification: entries.values.count { $0.label != nil })
  }

  /// Writes the packs and their index; `sets` nil for one set of all. Returns the index's path.
  @discardableResult
  func write(
    limit: Int = EntryLimit.maximum, sets: [[String]?] = [nil], profile: ShardProfile = .plain, asRuns: Bool = false
  ) throws -> String {
    var files: [PackIndex.Pack] = []
    for name in names {
      var options = ShardWriter.Options()
      options.profile = profile
      let writer = try ShardWriter(folder.path("new"), options: options)
      for (number, count, entry) in Self.pieces(packs[name] ?? [:], asRuns: asRuns) {
        try Array((entry.label ?? "").utf8).withUnsafeBytes {
          let first = DirectoryEntry(
            number: PhoneNumber(number), isBlocked: entry.isBlocked, label: entry.label == nil ? nil : $0)
          try writer.append(EntryRun(first, count: count))
        }
      }
      let summary = try writer.finish()
      let file = "p-\(summary.fileDigest.hex(digits: 16)).shard"
      try? FileManager.default.removeItem(atPath: folder.path(file))
      try FileManager.default.moveItem(atPath: folder.path("new"), toPath: folder.path(file))
      files.append(
        PackIndex.Pack(
          name: name, file: file, sha256: summary.fileDigest, bytes: summary.byteCount, counts: summary.counts))
    }
    let index = PackIndex(
      provider: try Self.id(), limit: limit, withoutArea: "base", packs: files,
      sets: sets.map { PackIndex.Set(packs: $0, counts: Self.counts(merged($0 ?? names))) })
    return try folder.write(index.encoded(), to: "p.packs")
  }

  /// Entries in order, consecutive equal ones as one when they are to be runs.
  private static func pieces(
    _ entries: [Int64: Entry], asRuns: Bool
  ) -> [(number: Int64, count: Int, entry: Entry)] {
    var pieces: [(number: Int64, count: Int, entry: Entry)] = []
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      if asRuns, let last = pieces.last, last.entry == entry, last.number + Int64(last.count) == number {
        pieces[pieces.count - 1].count += 1
      } else {
        pieces.append((number, 1, entry))
      }
    }
    return pieces
  }

  struct Invalid: Error {}

  static func id() throws -> ProviderID {
    guard let id = ProviderID("p") else { throw Invalid() }
    return id
  }

  /// Random packs over few numbers, so that most are in several; a number's label is the same everywhere.
  static func random(_ generator: inout SeededGenerator, packs count: Int, numbers: Int) throws -> PackWorld {
    var world = try PackWorld()
    for pack in 0..<count {
      var entries: [Int64: Entry] = [:]
      for _ in 0..<Int.random(in: 0...numbers, using: &generator) {
        let number = Int64.random(in: 1...Int64(max(numbers, 1)), using: &generator)
        let kind = Int.random(in: 0..<3, using: &generator)
        entries[number] = Entry(isBlocked: kind > 0, label: kind == 1 ? nil : "label of \(number)")
      }
      world.packs[pack == 0 ? "base" : "area \(pack)"] = entries
    }
    return world
  }

  /// What a walk over packs gives, in its order.
  static func read(_ cursor: PackCursor) throws -> [(number: Int64, entry: Entry)] {
    var found: [(number: Int64, entry: Entry)] = []
    while let entry = try cursor.next() {
      found.append(
        (
          entry.number.rawValue,
          Entry(isBlocked: entry.isBlocked, label: entry.label.map { String(decoding: $0, as: UTF8.self) })
        ))
    }
    return found
  }
}
