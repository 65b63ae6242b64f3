internal import CCallDirectory
internal import ProcessSupport
internal import ProviderWire
internal import SystemSupport

/// The life of a process that loads one provider: `shardctl-provider-host` is nothing but this.
public enum ProviderProcess {
  /// Reads the configuration from descriptor 4, loads the provider and tells the host on descriptor 3. Never returns.
  ///
  /// The memory that the host's side needs is allocated, and privileges are given up, before any foreign code runs.
  public static func run() -> Never {
    let output = OpenFile(owning: 3, path: "stream to the host")
    let input = OpenFile(owning: 4, path: "answers of the host")
    guard (try? output.status()) != nil, (try? input.status()) != nil else {
      let text = Array("shardctl-provider-host: started by hand; shardctl starts it for each load\n".utf8)
      try? text.withUnsafeBytes { try OpenFile.standardError().write($0) }
      CurrentProcess.end(ParentChannel.ExitStatus.usage)
    }
    CurrentProcess.bufferOutputByLine()
    let channel = ParentChannel(output: output, input: input) { CurrentProcess.end($0) }
    channel.send(.hello(version: Frame.protocolVersion))
    channel.send(.stage(.started))
    let configuration = receiveConfiguration(channel)
    guard let sampler = try? MemorySampler() else {
      channel.end(with: .runtimeFailure("cannot read /proc/self/status, which tells the memory in use"))
    }
    let load = ProviderLoad(channel, configuration)
    confine(channel, configuration)
    channel.send(.stage(.confined))

    let library: DynamicLibrary
    do throws(DynamicLibrary.Refusal) { library = try DynamicLibrary(configuration.libraryPath) } catch {
      channel.end(with: .refusal(.cannotOpen, text: error.text))
    }
    guard let memory = MemoryWatch(sampler, limit: configuration.memoryLimit) else {
      channel.end(with: .runtimeFailure("cannot sample the memory in use"))
    }
    channel.send(.stage(.libraryLoaded))
    let table = callEntry(library, channel)
    guard let record = load.run(table, memory) else { CurrentProcess.end(ParentChannel.ExitStatus.done) }
    channel.end(with: .final(record))
  }

  private static func receiveConfiguration(_ channel: ParentChannel) -> LoadConfiguration {
    do throws(WireError) {
      guard let configuration = try channel.receiveConfiguration() else {
        CurrentProcess.end(ParentChannel.ExitStatus.hostGone)
      }
      return configuration
    } catch {
      channel.end(with: .runtimeFailure("\(error)"))
    }
  }

  private static func callEntry(_ library: DynamicLibrary, _ channel: ParentChannel) -> UnsafeRawPointer {
    guard let symbol = library.symbol(CALLDIR_ENTRY_SYMBOL) else {
      channel.end(with: .refusal(.noEntry, text: "it exports no function \(CALLDIR_ENTRY_SYMBOL)"))
    }
    typealias Entry = @convention(c) (UInt32) -> UnsafeRawPointer?
    guard let table = unsafeBitCast(symbol, to: Entry.self)(UInt32(CALLDIR_ABI_MINOR)) else {
      channel.end(
        with: .refusal(
          .unsupportedABI, text: "it cannot work with version \(CALLDIR_ABI_MAJOR).\(CALLDIR_ABI_MINOR) of the ABI"))
    }
    return table
  }

  private static func confine(_ channel: ParentChannel, _ configuration: LoadConfiguration) {
    let limits = configuration.resourceLimits
    let isStopped = limits.stopsReservedMemory && configuration.memoryLimit > 0
    var confinement = ChildConfinement(memoryLimit: isStopped ? Int(clamping: configuration.memoryLimit) : nil)
    if limits.cpuSeconds > 0 { confinement.processorSeconds = Int(clamping: limits.cpuSeconds) }
    if limits.openFiles > 0 { confinement.openFiles = Int(clamping: limits.openFiles) }
    if limits.fileBytes > 0 { confinement.largestFile = Int(clamping: limits.fileBytes) }
    let applied: ChildConfinement.Layers
    do throws(ChildConfinement.ParentGone) {
      applied = try confinement.apply(parent: configuration.parentProcess)
    } catch {
      CurrentProcess.end(ParentChannel.ExitStatus.hostGone)
    }
    for (layer, name) in layers {
      let isSkipped = layer == .memoryStop && !isStopped
      let isApplied = applied.contains(layer)
      channel.send(
        .layer(ConfinementLayer(name: name, state: isApplied ? .applied : isSkipped ? .skipped : .unavailable)))
      if configuration.isSandboxStrict && !isApplied && !isSkipped {
        channel.end(with: .runtimeFailure("strict sandbox: the layer \(name) is not to be had here"))
      }
    }
  }

  /// The layers in the order in which they are put on, with the names reported.
  private static let layers: [(ChildConfinement.Layers, String)] = [
    (.parentDeathSignal, "parent-death-signal"), (.noNewPrivileges, "no-new-privileges"),
    (.noHugePages, "no-huge-pages"), (.threadStacks, "thread-stacks"), (.resourceLimits, "resource-limits"),
    (.memoryStop, "memory-stop"), (.fileAccess, "file-access"), (.systemCalls, "system-calls"),
  ]
}
