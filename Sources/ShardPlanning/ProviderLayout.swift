public import CallDirectory

/// One provider that a phone sees: an entry of the plan, or one copy of it.
public struct PlacedProvider: Hashable, Sendable {
  /// The provider's name.
  public var id: ProviderID
  /// Position of the entry in the plan, from 0.
  public var item: Int
  /// Which copy of it this is, from 1; nil for one that has no copies.
  public var copy: Int?
}

/// The entries of a plan spread out: each with the providers that stand behind it.
struct ProviderLayout: Sendable {
  /// The plan's entries.
  let items: [PlannedProvider]
  /// By entry: its copies, nil for one without.
  let groups: [CopyGroup?]
  /// All providers in plan order; copies stand together.
  let providers: [PlacedProvider]
  /// By entry: position of its first provider.
  private let first: [Int]

  init(_ items: [PlannedProvider], groups: [CopyGroup?]) {
    self.items = items
    self.groups = groups
    var first: [Int] = []
    var providers: [PlacedProvider] = []
    for (item, provider) in items.enumerated() {
      first.append(providers.count)
      guard let group = groups[item] else {
        providers.append(PlacedProvider(id: provider.id, item: item, copy: nil))
        continue
      }
      for copy in 1...max(group.copies, 1) {
        providers.append(
          PlacedProvider(id: CopyCount.id(provider.id, copy: copy) ?? provider.id, item: item, copy: copy))
      }
    }
    self.first = first
    self.providers = providers
  }

  /// Positions of the providers behind an entry of the plan.
  func positions(of item: Int) -> Range<Int> { first[item]..<first[item] + (groups[item]?.copies ?? 1) }

  /// The most entries of the provider at a position.
  func limit(_ position: Int) -> Int { items[providers[position].item].limit }

  /// How many entries the provider at a position takes.
  func room(_ position: Int) -> Int { items[providers[position].item].room ?? limit(position) }

  /// The provider behind an entry of the plan in which a segment is at home.
  func home(_ item: Int, _ segment: Int32, _ segments: NumberSegments) -> Int {
    guard let group = groups[item] else { return first[item] }
    return first[item] + min(segments.home(of: segment, in: group), group.copies - 1)
  }
}
