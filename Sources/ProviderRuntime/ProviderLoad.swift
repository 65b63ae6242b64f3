internal import CCallDirectory
internal import CallDirectory
package import ProviderWire

/// Runs create, load and destroy of one provider on the calling thread, with the host's tables that they are given.
package struct ProviderLoad {
  private let channel: ParentChannel
  private let configuration: LoadConfiguration
  private let state: UnsafeMutablePointer<LoadState>

  /// Allocates all the memory the host's side of the load needs. Before the library is opened, so that it doesn't count
  /// as the provider's.
  package init(_ channel: ParentChannel, _ configuration: LoadConfiguration) {
    self.channel = channel
    self.configuration = configuration
    // Never freed: a thread that the provider left behind may still call. The process ends after the load.
    state = .allocate(capacity: 1)
    state.initialize(to: LoadState(channel, flushEntries: configuration.flushEntries))
  }

  /// Runs the provider whose table `foreign` points to. `memory` has been watching since the library was opened. Returns
  /// the final record, or nil after a refusal, which has been sent.
  func run(_ foreign: UnsafeRawPointer, _ memory: MemoryWatch?) -> FinalRecord? {
    let table: ProviderTable
    do throws(ProviderTable.Refusal) { table = try ProviderTable(foreign) } catch {
      channel.send(.refusal(error.reason, text: error.text))
      return nil
    }
    state.pointee.memory = memory
    channel.send(.stage(.entryFound))
    channel.send(.descriptor(table.descriptor))
    return record(HostTables.withHost(channel, table.descriptor, configuration) { host in run(table, host) })
  }

  /// The same without a memory watch, for a table in this process.
  package func run(_ foreign: UnsafeRawPointer) -> FinalRecord? { run(foreign, nil) }

  private func run(_ table: ProviderTable, _ host: UnsafePointer<calldir_host>) -> WireStatus {
    var instance: OpaquePointer?
    let created = HostTables.withConfiguration(configuration) { table.create(host, $0, &instance) }
    guard created == 0 else { return WireStatus(rawValue: created) }
    channel.send(.stage(.created))
    let status = HostTables.withRequest(state, entryLimit: configuration.entryLimit) { request in
      channel.send(.stage(.loading))
      state.pointee.begin()
      return state.pointee.complete(WireStatus(rawValue: table.load(instance, request)))
    }
    channel.send(.stage(.finished))
    table.destroy(instance)
    return status
  }

  private func record(_ status: WireStatus) -> FinalRecord {
    state.pointee.memory?.check(channel)
    return FinalRecord(
      status: status, blocking: UInt64(state.pointee.counts.blocking),
      identification: UInt64(state.pointee.counts.identification), refusedAdds: state.pointee.refusedAdds,
      baselineMemory: UInt64(clamping: state.pointee.memory?.baseline ?? 0),
      peakMemory: UInt64(clamping: state.pointee.memory?.peak ?? 0))
  }
}
