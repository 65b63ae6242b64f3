internal import CallDirectory
public import Digests
internal import PlanFile
internal import PositionedJSON
public import ShardPacks
internal import ShardPlanning
internal import SystemSupport

extension ReleaseManifest.Provider {
  /// The packs of a provider that has some.
  public struct Packs: Hashable, Sendable {
    /// What the provider's file says: packs, their files and sets.
    public var index: PackIndex
    /// Digest of which entry is in which pack.
    public var divisionDigest: SHA256Digest

    /// The greatest fill of a set, 0 … 1.
    var fill: Double {
      index.sets.map { Double($0.counts.total) / Double(index.limit) }.max() ?? 0
    }
  }

  /// Size of all its files.
  var totalBytes: Int { bytes + (packs?.index.packs.reduce(0) { $0 + $1.bytes } ?? 0) }

  /// The entries that the limit is about: all of them, with packs those of the fullest set.
  var limitedEntries: Int { packs.map { $0.index.sets.map(\.counts.total).max() ?? 0 } ?? counts.total }

  /// Names of all files of the provider in the release folder, each once: its shard, or its index and its packs.
  public var files: [String] { [file] + (packs?.index.files ?? []) }

  /// The share of a provider with packs.
  init(_ provider: PlanProvider, _ result: PackOutput.Result, _ digests: PackDigests) {
    let bytes = result.index.encoded()
    let digest = bytes.withUnsafeBytes { SHA256.digest(of: $0) }
    self.init(
      id: provider.id, title: provider.title, file: ReleaseFolder.indexName(provider.id, digest), sha256: digest,
      bytes: bytes.count, counts: result.counts, limit: provider.planned.limit, numbers: result.numbers,
      contentDigests: digests.contents,
      packs: Packs(index: result.index, divisionDigest: digests.division))
  }

  /// The most entries that a manifest may state for it.
  static func mostEntries(hasPacks: Bool) -> Int { hasPacks ? 1 << 53 : EntryLimit.maximum }
}

extension ReleaseManifest.Provider.Packs {
  init(_ object: JSONObjectReader) throws(JSONError) {
    index = try PackIndex(object)
    divisionDigest = try object.digest("divisionDigest")
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("divisionDigest", divisionDigest.hex)
    index.writeMembers(to: &json)
    json.endObject()
  }
}
