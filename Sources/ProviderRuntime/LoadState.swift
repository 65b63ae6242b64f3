internal import CallDirectory
internal import ProviderWire
internal import Synchronization
internal import SystemSupport

/// What one load has come to, behind the request table's `host_data`. It lives at a fixed address.
///
/// Nothing is judged here: entries of a family are buffered and sent as the phone buffers them, and at every
/// `flushEntries` of a family the host's verdict is awaited (R-ORD-4). The first status other than 0 stays.
struct LoadState: ~Copyable {
  /// The thread inside `load`; 0 while no load runs. Written by that thread alone, read by any.
  private let loadingThread = Atomic<UInt>(0)
  /// Adds refused on the spot; any thread.
  private let refused = Atomic<UInt64>(0)
  /// Set once an add came on a wrong thread while the load ran; any thread.
  private let isMisused = Atomic(false)

  private(set) var status = WireStatus.ok
  private(set) var counts = EntryCounts()
  var memory: MemoryWatch?

  private let channel: ParentChannel
  private let flushEntries: Int
  private var blocking: Family
  private var identification: Family
  private var nextProgress = 0.0

  init(_ channel: ParentChannel, flushEntries: UInt32) {
    self.channel = channel
    self.flushEntries = Int(flushEntries)
    blocking = Family(.blocking)
    identification = Family(.identification)
  }

  var refusedAdds: UInt64 { refused.load(ordering: .relaxed) }

  // MARK: The provider's calls

  @inline(__always)
  mutating func addBlocking(_ number: Int64) -> WireStatus {
    guard isOpen else { return refuse() }
    if !blocking.frame.append(number) {
      makeRoom(.blocking)
      _ = blocking.frame.append(number)
    }
    blocking.pending += 1
    return blocking.pending < flushEntries ? .ok : flush(.blocking)
  }

  @inline(__always)
  mutating func addIdentification(_ number: Int64, label: UnsafePointer<CChar>?, length: Int) -> WireStatus {
    guard isOpen else { return refuse() }
    // A length is a size_t on the C side: beyond Int.max it comes as a negative number.
    guard length == 0 || (label != nil && length > 0) else { return misuse(.badArgument) }
    let label = UnsafeRawBufferPointer(start: label, count: length)
    if !identification.frame.append(number, label: label) {
      makeRoom(.identification)
      _ = identification.frame.append(number, label: label)
    }
    identification.pending += 1
    return identification.pending < flushEntries ? .ok : flush(.identification)
  }

  /// Passes on a hint, ten times a second at most.
  mutating func reportProgress(_ completed: UInt64, of total: UInt64) {
    guard isOpen else { return }
    let now = Clock.monotonicSeconds
    guard now >= nextProgress || completed == total else { return }
    nextProgress = now + 0.1
    channel.send(.progress(completed: completed, total: total))
  }

  var isCancelled: Bool { channel.isCancelled }

  // MARK: The load's frame

  /// Opens the state for adds on this thread.
  mutating func begin() {
    memory?.check(channel)
    loadingThread.store(CurrentProcess.thread, ordering: .relaxed)
  }

  /// Ends a load that returned `result`: after a success what is still buffered is flushed, blocking first (R-ORD-4).
  /// From here on adds are refused. Returns the status of the whole load.
  mutating func complete(_ result: WireStatus) -> WireStatus {
    if isMisused.load(ordering: .relaxed), status == .ok { status = .wrongThread }
    // A provider that stopped because it was told to has not given everything, even if it returns 0.
    if status == .ok, channel.isCancelled { status = .cancelled }
    if status == .ok, result == .ok {
      if blocking.pending > 0 { _ = flush(.blocking) }
      if status == .ok, identification.pending > 0 { _ = flush(.identification) }
    }
    loadingThread.store(0, ordering: .relaxed)
    memory?.check(channel)
    return status == .ok ? result : status
  }

  private var isOpen: Bool {
    @inline(__always) get {
      loadingThread.load(ordering: .relaxed) == CurrentProcess.thread && status == .ok
    }
  }

  // MARK: Off the hot path

  private func refuse() -> WireStatus {
    refused.add(1, ordering: .relaxed)
    let thread = loadingThread.load(ordering: .relaxed)
    guard thread != 0 else {
      // R-LIFE-7: adds after the end are ignored; the host warns by the count in the final record.
      return .wrongState
    }
    guard thread == CurrentProcess.thread else {
      isMisused.store(true, ordering: .relaxed)
      return .wrongThread
    }
    return status
  }

  private mutating func misuse(_ misuse: WireStatus) -> WireStatus {
    refused.add(1, ordering: .relaxed)
    status = misuse
    return misuse
  }

  private mutating func flush(_ family: EntryFamily) -> WireStatus {
    let count =
      switch family {
      case .blocking: blocking.take(channel)
      case .identification: identification.take(channel)
      }
    memory?.check(channel)
    counts[family] += count
    status = channel.flush(family, count: count)
    return status
  }

  private mutating func makeRoom(_ family: EntryFamily) {
    switch family {
    case .blocking: blocking.send(channel)
    case .identification: identification.send(channel)
    }
    memory?.check(channel)
  }

  /// What is buffered of one family.
  private struct Family: ~Copyable {
    var frame: EntryFrame
    /// Entries since the last flush, sent or not.
    var pending = 0

    init(_ family: EntryFamily) { frame = EntryFrame(family) }

    /// Sends the frame as far as it is filled.
    mutating func send(_ channel: ParentChannel) {
      guard frame.count > 0 else { return }
      channel.send(frame: frame.sealed())
      frame.reset()
    }

    /// Sends the rest of a flush and returns how many entries it has.
    mutating func take(_ channel: ParentChannel) -> Int {
      send(channel)
      defer { pending = 0 }
      return pending
    }
  }
}
