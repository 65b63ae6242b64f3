public import CallDirectory
internal import SystemSupport

/// One state of a store: everything its manifest says.
public struct StoreContents: Hashable, Sendable {
  /// How many changes led here; every commit adds 1.
  public internal(set) var serial: Int
  /// The applied plan.
  public internal(set) var plan: FrozenPlan
  /// The release in force, or nil before the first.
  public internal(set) var release: Int?
  /// The order set by `order`, or nil while the plan's stands (R-WIN-4).
  public internal(set) var customOrder: SettingsOrder?
  /// Planned providers in plan order, then libraries dropped in, in the order they came.
  public internal(set) var providers: [StoredProvider]
  /// The shard file of the phone's contacts in the store's folder of generations, or nil when there are none.
  var contactsFile: String?

  init(plan: FrozenPlan) {
    serial = 0
    self.plan = plan
    providers = []
  }

  /// The provider `id`, or nil.
  public func provider(_ id: ProviderID) -> StoredProvider? { providers.first { $0.id == id } }

  /// The settings order in force: what `order` set, else plan order and then libraries dropped in (R-WIN-4).
  public var order: SettingsOrder {
    if let customOrder { return customOrder }
    var order = SettingsOrder()
    for provider in providers { order.append(provider.id) }
    return order
  }

  /// The providers in the settings order in force.
  public var providersInOrder: [StoredProvider] { order.ids.compactMap(provider) }

  /// The published shard files in use by an active or previous generation, as they were linked: whoever removes old
  /// releases keeps these.
  public var linkedFiles: [String] {
    let links = providers.flatMap { [$0.active, $0.previous] }.compactMap { generation -> String? in
      if case .link(let path, _) = generation?.content { path } else { nil }
    }
    return Set(links).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The files in the store's folder of generations that are in use.
  var ownFiles: Set<String> {
    Set(providers.flatMap(\.ownFiles) + (contactsFile.map { [$0] } ?? []))
  }
}
