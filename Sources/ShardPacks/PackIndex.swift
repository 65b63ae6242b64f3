public import CallDirectory
public import Digests

/// What packs a provider has: which file each is, what is in it, and which sets of them fit a phone.
///
/// A release writes it as a small JSON file beside the packs, named by its content as they are by theirs; its path is what a provider
/// gets as that of its shard. See PackIndex.md for the format.
public struct PackIndex: Hashable, Sendable {
  /// One pack: a whole shard file with the entries of one area.
  public struct Pack: Hashable, Sendable {
    /// The area.
    public var name: String
    /// Name of the shard file in the index's folder. Packs of the same content have the same.
    public var file: String
    /// Digest of that file.
    public var sha256: SHA256Digest
    /// Size of that file.
    public var bytes: Int
    /// Entries per family.
    public var counts: EntryCounts

    /// A pack with the given fields.
    public init(name: String, file: String, sha256: SHA256Digest, bytes: Int, counts: EntryCounts) {
      self.name = name
      self.file = file
      self.sha256 = sha256
      self.bytes = bytes
      self.counts = counts
    }
  }

  /// Packs that the plan promises to fit a phone together.
  public struct Set: Hashable, Sendable {
    /// Names of the packs; nil for all there are.
    public var packs: [String]?
    /// Entries of the set; a number of several packs counts once in each family.
    public var counts: EntryCounts

    /// A set with the given fields.
    public init(packs: [String]?, counts: EntryCounts) {
      self.packs = packs
      self.counts = counts
    }
  }

  /// The provider.
  public var provider: ProviderID
  /// The most entries that it may deliver, 1 … 1,999,999.
  public var limit: Int
  /// The pack of rows without an area; it is always there.
  public var withoutArea: String
  /// The packs in byte order of their names, at least one and none twice.
  public var packs: [Pack]
  /// The sets, at least one: the first is delivered where nobody has chosen.
  public var sets: [Set]

  /// The most packs of a provider: each that is open takes a few kilobytes of a phone's memory.
  public static let mostPacks = 1_000
  /// The most sets of a provider.
  public static let mostSets = 64
  /// How names of index files end.
  public static let fileExtension = "packs"

  /// An index with the given fields.
  public init(provider: ProviderID, limit: Int, withoutArea: String, packs: [Pack], sets: [Set]) {
    self.provider = provider
    self.limit = limit
    self.withoutArea = withoutArea
    self.packs = packs
    self.sets = sets
  }

  /// The pack of this name, or nil.
  public func pack(_ name: String) -> Pack? { packs.first { $0.name == name } }

  /// The names of all packs.
  public var names: [String] { packs.map(\.name) }

  /// The packs that are delivered where nobody has chosen: the first set's.
  public var standardNames: [String] { sets.first?.packs ?? names }

  /// Names of the files of all packs, each once, in the order of the packs.
  public var files: [String] {
    var seen: Swift.Set<String> = []
    return packs.map(\.file).filter { seen.insert($0).inserted }
  }

  /// Whether a file of this name is meant to be an index.
  public static func isIndex(_ path: String) -> Bool { path.hasSuffix(".\(fileExtension)") }
}
