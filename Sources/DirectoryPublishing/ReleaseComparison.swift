internal import CallDirectory

/// Compares what the rules give each provider with what a release has, number by number, while entries are placed.
final class ReleaseComparison: PlacementObserver {
  /// Numbers that differ.
  private(set) var count = 0
  /// The first of them, in words.
  private(set) var samples: [String] = []

  private let walk: ReleaseWalk
  private let release: [ProviderID]
  private let ids: [ProviderID]
  /// By provider: its place in the release, or -1.
  private let places: [Int]
  private var held: [(provider: Int, entry: DirectoryEntry)] = []

  private static let sampleCount = 5

  /// A comparison of entries for `providers` with `manifest`, whose shards lie in `folder`.
  init(_ manifest: ReleaseManifest, in folder: ReleaseFolder, providers: [ProviderID]) {
    walk = ReleaseWalk(manifest.providers.map { folder.shardPath($0.file) })
    release = manifest.providers.map(\.id)
    ids = providers
    places = providers.map { id in manifest.providers.firstIndex { $0.id == id } ?? -1 }
  }

  func take(_ provider: Int, _ run: EntryRun) { held.append((provider, run.entry)) }

  func end(_ numbers: ClosedRange<PhoneNumber>) {
    pass(before: numbers.lowerBound.rawValue)
    if !held.isEmpty {
      let last = numbers.upperBound.rawValue
      var number = numbers.lowerBound.rawValue
      while true {
        let end = walk.end(from: number, to: last)
        compare(number, end)
        if end == last { break }
        number = end + 1
      }
    }
    held.removeAll(keepingCapacity: true)
  }

  /// Takes in what the release has behind the last number. Returns why shards could not be read.
  func finish() -> [String] {
    pass(before: .max)
    return walk.problems.compactMap(\.self)
  }

  /// Numbers that only the release has.
  private func pass(before number: Int64) {
    while true {
      let least = walk.least
      if least >= number { return }
      compare(least, walk.end(from: least, to: number - 1))
    }
  }

  /// Compares the numbers from `number` to `last`, which are all alike.
  private func compare(_ number: Int64, _ last: Int64) {
    var found = 0
    for place in walk.entries.indices where walk.entries[place].number == number { found += 1 }
    // Those held belong to a later number when this is one that only the release has.
    let expected = held.isEmpty || held[0].entry.number.rawValue > number ? [] : held
    let isSame =
      found == expected.count
      && expected.allSatisfy { provider, entry in
        let place = places[provider]
        guard place >= 0, walk.entries[place].number == number else { return false }
        guard walk.entries[place].isBlocked == entry.isBlocked else { return false }
        return entry.label.map { walk.entries[place].label.elementsEqual($0) } ?? walk.entries[place].label.isEmpty
      }
    if !isSame {
      count += Int(last - number) + 1
      if samples.count < Self.sampleCount { samples.append(difference(number, expected)) }
    }
    for place in walk.entries.indices {
      while walk.entries[place].number == number { walk.pass(last, place) }
    }
  }

  private func difference(_ number: Int64, _ expected: [(provider: Int, entry: DirectoryEntry)]) -> String {
    let rules = expected.sorted { $0.provider < $1.provider }.map { provider, entry in
      Self.text(ids[provider], entry.isBlocked, entry.label.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
    let has = walk.entries.indices.filter { walk.entries[$0].number == number }.map { place in
      Self.text(
        release[place], walk.entries[place].isBlocked, String(decoding: walk.entries[place].label, as: UTF8.self))
    }
    func list(_ texts: [String]) -> String { texts.isEmpty ? "nobody" : texts.joined(separator: ", ") }
    return "\(PhoneNumber(number)): the rules give it to \(list(rules)), the release to \(list(has))"
  }

  private static func text(_ id: ProviderID, _ isBlocked: Bool, _ label: String) -> String {
    let parts = (isBlocked ? ["block"] : []) + (label.isEmpty ? [] : ["label \"\(label)\""])
    return "\(id) (\(parts.joined(separator: ", ")))"
  }
}
