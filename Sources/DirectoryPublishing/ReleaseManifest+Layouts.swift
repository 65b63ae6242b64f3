internal import CallDirectory
internal import Digests
internal import PositionedJSON
public import ShardPlanning

extension ReleaseManifest {
  /// The same rows split over other providers, for app versions with other extensions.
  public struct Layout: Hashable, Sendable {
    /// The layout's name in the plan.
    public var name: String
    /// Its planned providers in their order.
    public var providers: [Provider]
    /// Its groups of copies.
    public var groups: [Group]
    /// Entries that two of its providers both claim.
    public var overlaps: [PlacementReport.Overlap]
    /// What became of the rows under it.
    public var accounts: ReleaseAccounts
  }

  /// The release as a phone with a layout sees it, or with the plan's own providers where `layout` is nil: providers, groups,
  /// overlaps and accounts are those of the layout. Nil when the release was made without it.
  public func view(of layout: String?) -> ReleaseManifest? {
    var view = self
    view.layouts = []
    guard let layout else { return view }
    guard let found = layouts.first(where: { $0.name == layout }) else { return nil }
    view.providers = found.providers
    view.groups = found.groups
    view.overlaps = found.overlaps
    view.accounts = found.accounts
    return view
  }

  /// The view of the plan's own providers and then that of each layout.
  var views: [ReleaseManifest] { ([nil] + layouts.map(\.name)).compactMap { view(of: $0) } }

  /// Gives shards of `layout` that say the same as one that the release has already that one's file.
  mutating func add(_ layout: Layout) {
    var layout = layout
    let known = providers + layouts.flatMap(\.providers)
    for index in layout.providers.indices where layout.providers[index].packs == nil {
      let provider = layout.providers[index]
      let same = known.first {
        $0.packs == nil && $0.contentDigests == provider.contentDigests && $0.counts == provider.counts
      }
      guard let same else { continue }
      layout.providers[index].file = same.file
      layout.providers[index].sha256 = same.sha256
      layout.providers[index].bytes = same.bytes
    }
    layouts.append(layout)
  }
}

extension ReleaseManifest.Layout {
  init(_ view: ReleaseManifest, name: String) {
    self.init(
      name: name, providers: view.providers, groups: view.groups, overlaps: view.overlaps, accounts: view.accounts)
  }

  init(_ object: JSONObjectReader) throws(JSONError) {
    name = try object.string("name")
    (providers, groups, overlaps, accounts) = try ReleaseManifest.split(object)
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    ReleaseManifest.writeSplit(providers, groups, overlaps, accounts, to: &json)
    json.endObject()
  }
}

extension ReleaseManifest.Provider {
  /// Whether all that is stated of the shard is stated of another provider's too.
  func hasSameShard(as other: ReleaseManifest.Provider) -> Bool {
    var other = other
    other.id = id
    other.title = title
    return self == other
  }
}
