/// A call directory provider: what an author writes. A library has one.
///
/// The host makes an instance, calls `load` and lets the instance go, all on one thread. Each load runs in a process of
/// its own with a few megabytes of memory, so a provider streams its data and doesn't collect it.
///
///     private let entry = ProviderEntry(MyProvider.self)
///
///     @c @implementation
///     public func calldir_provider_entry_v1(_ hostABIMinor: UInt32) -> UnsafePointer<calldir_provider>! { entry.table }
public protocol CallDirectoryProvider: AnyObject {
  /// The provider's own name, reverse-DNS, for example `com.example.crm`. Not empty.
  static var identifier: StaticString { get }
  /// The provider's version.
  static var version: StaticString { get }
  /// What settings show for it.
  static var title: StaticString { get }

  /// Makes an instance; no heavy work belongs here. `host` may be kept as long as the instance lives.
  init(_ configuration: ProviderConfiguration, host: HostReference) throws(ProviderFailure)

  /// Adds every entry, strictly ascending within each family. May be called again for another full load. An error fails
  /// the load, and the host takes none of its entries.
  func load(into request: borrowing ProviderRequest) throws(ProviderFailure)
}
