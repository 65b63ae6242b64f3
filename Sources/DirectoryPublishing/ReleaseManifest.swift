public import CallDirectory
public import Digests
public import ShardPlanning

/// What a release consists of: which shard each provider gets, what is in it, and how the rows were accounted for.
///
/// A manifest never changes once it is published, and holds nothing but what follows from plan, sources and base: no
/// times and no paths of the machine, so that the same inputs give the same bytes.
public struct ReleaseManifest: Hashable, Sendable {
  /// One provider's share of a release.
  public struct Provider: Hashable, Sendable {
    /// The provider.
    public var id: ProviderID
    /// What a call screen shows before the label (R-WIN-6).
    public var title: String
    /// Name of the shard in the release folder.
    public var file: String
    /// Digest of the shard file.
    public var sha256: SHA256Digest
    /// Size of the shard file.
    public var bytes: Int
    /// Entries per family.
    public var counts: EntryCounts
    /// The most entries the plan allows.
    public var limit: Int
    /// The smallest and the greatest number; nil for an empty shard.
    public var numbers: ClosedRange<PhoneNumber>?
    /// Digests of the two families, independent of how the file stores them.
    public var contentDigests: ContentDigests
    /// Its packs; nil where `file` is a shard. Where it has some, `file` is their index, and the counts are of all packs together.
    public var packs: Packs?

    /// Entries as a share of the limit, 0 … 1; with packs that of the fullest set.
    public var fill: Double { packs?.fill ?? Double(counts.total) / Double(limit) }
  }

  /// The copies of one entry of the plan.
  public struct Group: Hashable, Sendable {
    /// The entry's id.
    public var id: ProviderID
    /// How many copies there are and where they are cut.
    public var copies: CopyGroup
  }

  /// Where entries were before, as far as that decided where they are.
  public enum Places: String, Hashable, Sendable, CaseIterable {
    /// In `base`.
    case base
    /// Nowhere: they were placed as if for the first time.
    case anew
    /// In the release of another folder.
    case elsewhere
  }

  /// The numbers a release can have: far below what a machine's integers hold, so that there always is a next one.
  static let releaseNumbers = 1...(1 << 53)

  /// The number of the release, from 1.
  public var release: Int
  /// The release this one was made from; nil for the first.
  public var base: Int?
  /// The release whose content this one brought back; nil for one that was built.
  public var restores: Int?
  /// Which release the entries kept their places of.
  public var places: Places = .base
  /// The plan's name.
  public var planName: String
  /// Digest of the plan file's bytes.
  public var planDigest: SHA256Digest
  /// The planned providers in plan order; those with data of their own have no part in a release.
  public var providers: [Provider]
  /// The groups of copies, in plan order: where later releases find the cuts between them.
  public var groups: [Group]
  /// Entries that two providers both claim.
  public var overlaps: [PlacementReport.Overlap]
  /// What became of the rows.
  public var accounts: ReleaseAccounts
  /// The splits for app versions with other extensions, in plan order.
  public var layouts: [Layout] = []

  /// Names of all files in the release folder, those of layouts too, each once.
  public var files: [String] {
    var seen: Set<String> = []
    return (providers + layouts.flatMap(\.providers)).flatMap(\.files).filter { seen.insert($0).inserted }
  }

  /// The share of one provider, or nil.
  public func provider(_ id: ProviderID) -> Provider? { providers.first { $0.id == id } }

  /// How many copies an entry of the plan has, or nil when it has none.
  public func copies(of id: ProviderID) -> Int? { groups.first { $0.id == id }?.copies.copies }

  /// Whether `other` was made from the same plan and comes to the same, whatever their numbers and bases.
  public func hasSameContent(as other: ReleaseManifest) -> Bool {
    var other = other
    other.release = release
    other.base = base
    other.restores = restores
    other.places = places
    return self == other
  }
}
