internal import CallDirectory
internal import ShardFormat

/// Counts entries that left one provider for another since the base release, by walking its shards beside the new ones.
///
/// Of each number and family as many count as providers lost it while others gained it: a further copy is no move, nor is a
/// copy that goes while another stays.
struct MovementCounter: ~Copyable {
  private struct BaseShard {
    let cursor: ShardCursor
    /// The provider's position in the plan at hand; nil when it is gone from the plan.
    let provider: Int?
    var number: PhoneNumber?
    var families: DirectoryMatch = []

    /// A shard that turns out to be damaged ends there: the release is about to be replaced.
    mutating func advance() {
      let entry = try? cursor.next()
      number = entry?.number
      families = entry.map(MovementCounter.families) ?? []
    }
  }

  /// Entries that moved so far.
  private(set) var moved = 0
  private var shards: [BaseShard] = []
  /// By provider of the plan: the families in which the base release has the number at hand.
  private var held: [DirectoryMatch]
  /// How many providers have the number at hand in the base release, have it now, and have it in both.
  private var before = EntryCounts()
  private var now = EntryCounts()
  private var stayed = EntryCounts()

  /// A counter against `base`. A shard that cannot be opened does not count: the release is about to be replaced.
  init(_ base: ReleaseManifest?, in folder: ReleaseFolder, providers: [ProviderID]) {
    held = Array(repeating: [], count: providers.count)
    for provider in base?.providers ?? [] {
      guard let shard = try? Shard(folder.shardPath(provider.file), access: .streaming) else { continue }
      var entry = BaseShard(cursor: shard.makeCursor(), provider: providers.firstIndex(of: provider.id))
      entry.advance()
      shards.append(entry)
    }
  }

  /// Turns to `number`. Numbers ascend.
  @inline(__always)
  mutating func begin(_ number: PhoneNumber) {
    if !shards.isEmpty { look(up: number) }
  }

  /// Takes what the provider at this position in the plan gets of the number. Requires: once for each provider.
  @inline(__always)
  mutating func take(_ provider: Int, _ entry: DirectoryEntry) {
    guard !shards.isEmpty else { return }
    let families = Self.families(of: entry)
    now.add(families)
    stayed.add(families.intersection(held[provider]))
  }

  /// Counts the number. Every `begin` is followed by one.
  @inline(__always)
  mutating func end() {
    guard !shards.isEmpty, before.total > 0 else { return }
    moved += min(before.blocking - stayed.blocking, now.blocking - stayed.blocking)
    moved += min(before.identification - stayed.identification, now.identification - stayed.identification)
  }

  private mutating func look(up number: PhoneNumber) {
    before = EntryCounts()
    now = EntryCounts()
    stayed = EntryCounts()
    for index in shards.indices {
      while let at = shards[index].number, at < number { shards[index].advance() }
      let families = shards[index].number == number ? shards[index].families : []
      before.add(families)
      if let provider = shards[index].provider { held[provider] = families }
    }
  }

  private static func families(of entry: DirectoryEntry) -> DirectoryMatch {
    var families: DirectoryMatch = entry.isBlocked ? .blocked : []
    if entry.label != nil { families.insert(.identified) }
    return families
  }
}

extension EntryCounts {
  /// One entry more in each of `families`.
  fileprivate mutating func add(_ families: DirectoryMatch) {
    if families.contains(.blocked) { blocking += 1 }
    if families.contains(.identified) { identification += 1 }
  }
}
