// The standard provider: gives the host what one planned shard holds, or the installed ones of several packs. A plan's
// provider without a `library` is loaded with it.

public import CCallDirectory
internal import CallDirectory
internal import ProviderKit
internal import ShardFormat
internal import ShardPacks

/// Streams one shard, or packs merged into one stream, in ascending order, both families interleaved. Its own memory is a few
/// kilobytes and a few for each pack, whatever they hold: the files are mapped, and mapped pages don't count on a phone.
final class ShardProvider: CallDirectoryProvider {
  static let identifier: StaticString = "shardctl.shard-provider"
  static let version: StaticString = "1.1"
  static let title: StaticString = "Planned shard"

  private let path: String
  private let container: String

  init(_ configuration: ProviderConfiguration, host: HostReference) throws(ProviderFailure) {
    path = configuration.shardPath
    container = configuration.containerPath
    guard !path.isEmpty else {
      throw .badConfiguration("no shard was given: a plan names one for a provider that has claims")
    }
  }

  func load(into request: borrowing ProviderRequest) throws(ProviderFailure) {
    guard !PackIndex.isIndex(path) else { return try loadPacks(into: request) }
    let shard = try open()
    let cursor = shard.makeCursor()
    while let entry = try next(cursor) { try Self.add(entry, to: request) }
  }

  @inline(__always)
  private static func add(_ entry: DirectoryEntry, to request: borrowing ProviderRequest) throws(ProviderFailure) {
    if entry.isBlocked { try request.addBlocking(entry.number.rawValue) }
    if let label = entry.label { try request.addIdentification(entry.number.rawValue, label: label) }
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

  // MARK: Packs

  private func loadPacks(into request: borrowing ProviderRequest) throws(ProviderFailure) {
    let cursor = try openPacks(limit: request.entryLimit)
    while let entry = try next(cursor) { try Self.add(entry, to: request) }
  }

  /// The installed packs. Whether they fit is found out before the first entry is added.
  private func openPacks(limit: Int) throws(ProviderFailure) -> PackCursor {
    do {
      let folder = try PackFolder(path)
      let names = try InstalledPacks(container: container, folder.index).names(folder.index)
      let shards = try folder.open(names)
      try folder.checkLimit(names, shards, limit: min(limit, folder.index.limit))
      return PackCursor(shards)
    } catch {
      throw Self.failure(error)
    }
  }

  private func next(_ cursor: PackCursor) throws(ProviderFailure) -> DirectoryEntry? {
    do { return try cursor.next() } catch { throw Self.failure(error) }
  }

  private static func failure(_ error: any Error) -> ProviderFailure {
    switch error {
    case let error as ShardError: return .dataCorrupt("\(error); \(error.fix)")
    case let error as PackError:
      let text = "\(error); \(error.hint)"
      switch error.kind {
      case .missing: return .dataUnavailable(text)
      case .damaged: return .dataCorrupt(text)
      case .wrongChoice: return .badConfiguration(text)
      case .tooManyEntries:
        let phone = PhoneError(.maximumEntriesExceeded)
        return .error(domain: phone.domain, code: phone.code, text)
      }
    default: return .dataUnavailable("\(error)")
    }
  }
}

private let entry = ProviderEntry(ShardProvider.self)

/// The library's one exported function; see `calldir.h`.
@c @implementation
public func calldir_provider_entry_v1(_ hostABIMinor: UInt32) -> UnsafePointer<calldir_provider>! { entry.table }
