internal import CallDirectory

/// How the entries of a provider differ from those it had in the base release.
public struct EntryChanges: Hashable, Sendable {
  /// Entries that it did not have.
  public var added = 0
  /// Entries that it no longer has.
  public var removed = 0
  /// Labels of numbers that had another.
  public var relabelled = 0

  /// No changes.
  public init() {}

  /// What a phone is told one by one: a label is changed by removing it and adding it again (R-INC-4).
  public var steps: Int { added + removed + 2 * relabelled }
}

/// Counts them while entries are placed. Walks the base release's shards by itself.
final class ChangeCounter: PlacementObserver {
  private let walk: ReleaseWalk
  /// By provider: its place in the base release, or -1.
  private let places: [Int]
  /// By place: its provider, or -1.
  private let providers: [Int]
  private var changes: [EntryChanges]
  /// Of the number at hand, by provider.
  private var isBlocked: [Bool]
  private var labels: [UnsafeRawBufferPointer?]
  private var touched: [Int] = []

  /// A counter for `providers` against `base`, whose shards lie in `folder`.
  init(_ base: ReleaseManifest, in folder: ReleaseFolder, providers ids: [ProviderID]) {
    walk = ReleaseWalk(base.providers.map { folder.shardPath($0.file) })
    places = ids.map { id in base.providers.firstIndex { $0.id == id } ?? -1 }
    providers = base.providers.map { provider in ids.firstIndex(of: provider.id) ?? -1 }
    changes = ids.map { _ in EntryChanges() }
    isBlocked = ids.map { _ in false }
    labels = ids.map { _ in nil }
  }

  func take(_ provider: Int, _ run: EntryRun) {
    touched.append(provider)
    isBlocked[provider] = run.entry.isBlocked
    labels[provider] = run.entry.label
  }

  func end(_ numbers: ClosedRange<PhoneNumber>) {
    let (first, last) = (numbers.lowerBound.rawValue, numbers.upperBound.rawValue)
    for place in places where place >= 0 { passAll(place, before: first) }
    for provider in touched {
      let now = (isBlocked[provider] ? 1 : 0) + (labels[provider] == nil ? 0 : 1)
      var missing = Int(last - first) + 1
      let place = places[provider]
      while place >= 0, walk.entries[place].number <= last {
        let end = min(walk.entries[place].last, last)
        let count = Int(end - walk.entries[place].number) + 1
        missing -= count
        compare(provider, walk.entries[place], count)
        walk.pass(end, place)
      }
      changes[provider].added += missing * now
      isBlocked[provider] = false
      labels[provider] = nil
    }
    touched.removeAll(keepingCapacity: true)
  }

  /// By provider; nil for those that the base release does not have, or whose shard cannot be read. Requires: every number was ended.
  func finish() -> [EntryChanges?] {
    for place in places where place >= 0 { passAll(place, before: .max) }
    return places.enumerated().map { provider, place in
      place >= 0 && walk.problems[place] == nil ? changes[provider] : nil
    }
  }

  private func passAll(_ place: Int, before number: Int64) {
    while walk.entries[place].number < number {
      let end = min(walk.entries[place].last, number - 1)
      let before = (walk.entries[place].isBlocked ? 1 : 0) + (walk.entries[place].label.isEmpty ? 0 : 1)
      changes[providers[place]].removed += before * (Int(end - walk.entries[place].number) + 1)
      walk.pass(end, place)
    }
  }

  private func compare(_ provider: Int, _ before: ReleaseWalk.Entry, _ count: Int) {
    if isBlocked[provider] != before.isBlocked {
      if before.isBlocked { changes[provider].removed += count } else { changes[provider].added += count }
    }
    guard let label = labels[provider] else {
      if !before.label.isEmpty { changes[provider].removed += count }
      return
    }
    if before.label.isEmpty {
      changes[provider].added += count
    } else if !label.elementsEqual(before.label) {
      changes[provider].relabelled += count
    }
  }
}
