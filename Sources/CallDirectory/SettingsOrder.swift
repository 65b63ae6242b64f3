/// The order in which a phone's settings list the providers, first wins a label (R-WIN-1). Equal positions do not
/// exist: an id occurs once (R-WIN-5).
public struct SettingsOrder: Hashable, Sendable {
  /// Ids from the first position to the last.
  public private(set) var ids: [ProviderID]

  /// Nil when an id occurs twice.
  public init?(_ ids: [ProviderID]) {
    guard Set(ids).count == ids.count else { return nil }
    self.ids = ids
  }

  /// An empty order.
  public init() { ids = [] }

  /// The position of `id` from 0, or nil. O(n).
  public func position(of id: ProviderID) -> Int? { ids.firstIndex(of: id) }

  /// Appends a provider that is new to the phone at the end (R-WIN-4); one that is known already keeps its place.
  public mutating func append(_ id: ProviderID) {
    if !ids.contains(id) { ids.append(id) }
  }

  /// Takes `id` out; the others keep their relative order.
  public mutating func remove(_ id: ProviderID) { ids.removeAll { $0 == id } }

  /// `first` in the given order, then the ids of this order that `first` does not name, as they were.
  /// Nil when `first` repeats an id or names one that is not in this order.
  public func reordered(first: [ProviderID]) -> SettingsOrder? {
    guard Set(first).count == first.count, first.allSatisfy(ids.contains) else { return nil }
    return SettingsOrder(first + ids.filter { !first.contains($0) })
  }
}
