internal import CallDirectory
internal import ShardFormat

/// Counts the entries that the base release has with another provider, by walking its shards beside the new ones.
final class MovementCounter {
  private struct BaseShard {
    let cursor: ShardCursor
    /// The provider's position in the plan at hand; nil when it is gone from the plan.
    let provider: Int?
    var number: PhoneNumber?
    var families: DirectoryMatch = []
  }

  /// Entries that moved so far.
  private(set) var moved = 0
  private var shards: [BaseShard] = []

  /// A counter against `base`. A shard that cannot be read does not count: the release is about to be replaced.
  init(_ base: ReleaseManifest?, in folder: ReleaseFolder, providers: [ProviderID]) {
    for provider in base?.providers ?? [] {
      guard let shard = try? Shard(folder.shardPath(provider.file), access: .streaming) else { continue }
      shards.append(
        BaseShard(cursor: shard.makeCursor(), provider: providers.firstIndex(of: provider.id), number: nil))
      advance(shards.count - 1)
    }
  }

  /// Takes what the providers get of `number`: by position in the plan, in which families. Numbers ascend.
  @inline(__always)
  func count(_ number: PhoneNumber, _ places: [(provider: Int, families: DirectoryMatch)]) {
    for index in shards.indices {
      while let at = shards[index].number, at < number { advance(index) }
      guard shards[index].number == number else { continue }
      var families = shards[index].families
      var elsewhere: DirectoryMatch = []
      for place in places {
        if place.provider == shards[index].provider {
          families.subtract(place.families)
        } else {
          elsewhere.formUnion(place.families)
        }
      }
      moved += families.intersection(elsewhere).rawValue.nonzeroBitCount
    }
  }

  private func advance(_ index: Int) {
    let entry = try? shards[index].cursor.next()
    shards[index].number = entry?.number
    shards[index].families = []
    if entry?.isBlocked == true { shards[index].families.insert(.blocked) }
    if entry?.label != nil { shards[index].families.insert(.identified) }
  }
}
