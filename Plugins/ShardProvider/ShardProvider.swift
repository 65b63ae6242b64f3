// The standard provider: gives the host what one planned shard holds. A plan's provider without a `library` is loaded
// with it.

public import CCallDirectory
internal import CallDirectory
internal import ProviderKit
internal import ShardFormat

/// Streams one shard in ascending order, both families interleaved. Its own memory is a few kilobytes, whatever the shard:
/// the file is mapped, and mapped pages don't count on a phone.
final class ShardProvider: CallDirectoryProvider {
  static let identifier: StaticString = "shardctl.shard-provider"
  static let version: StaticString = "1.0"
  static let title: StaticString = "Planned shard"

  private let path: String

  init(_ configuration: ProviderConfiguration, host: HostReference) throws(ProviderFailure) {
    path = configuration.shardPath
    guard !path.isEmpty else {
      throw .badConfiguration("no shard was given: a plan names one for a provider that has claims")
    }
  }

  func load(into request: borrowing ProviderRequest) throws(ProviderFailure) {
    let shard = try open()
    let cursor = shard.makeCursor()
    while let entry = try next(cursor) {
      if entry.isBlocked { try request.addBlocking(entry.number.rawValue) }
      if let label = entry.label { try request.addIdentification(entry.number.rawValue, label: label) }
    }
  }

  private func open() throws(ProviderFailure) -> Shard {
    do {
      return try Shard(path, access: .streaming)
    } catch let error as ShardError {
      throw .dataCorrupt("\(error); \(error.fix)")
    } catch {
      throw .dataUnavailable("\(error)")
    }
  }

  private func next(_ cursor: ShardCursor) throws(ProviderFailure) -> DirectoryEntry? {
    do throws(ShardError) { return try cursor.next() } catch { throw .dataCorrupt("\(error); \(error.fix)") }
  }
}

private let entry = ProviderEntry(ShardProvider.self)

/// The library's one exported function; see `calldir.h`.
@c @implementation
public func calldir_provider_entry_v1(_ hostABIMinor: UInt32) -> UnsafePointer<calldir_provider>! { entry.table }
