public import CallDirectory

/// What the child tells the host, over its descriptor 3.
///
/// Order: `hello`, `stage(started)`; then the host sends its configuration; `layer` … and `stage(confined)`;
/// `stage(libraryLoaded)`, `stage(entryFound)`, `descriptor`, `stage(created)`, `stage(loading)`; `entries` and `flush`;
/// `stage(finished)` when `load` has returned, `final` as the last frame. `log`, `progress` and `providerError` come
/// anywhere after `started`. `refusal`, `overMemory` and `runtimeFailure` are last frames too: the child exits after
/// each, without `final`. A stream that ends otherwise is a crash or an exit, by what the process's end says, at the
/// last stage told.
///
/// Nothing in it is to be believed: the library runs in the process that writes this stream.
public enum ProviderMessage {
  /// The first frame; `version` is ``Frame/protocolVersion`` of the child's build.
  case hello(version: UInt32)
  /// The child reached a stage.
  case stage(ProviderStage)
  /// How one layer of confinement went.
  case layer(ConfinementLayer)
  /// Who the library says it is.
  case descriptor(ProviderDescriptor)
  /// The library isn't one that can be loaded; nothing of it but its start-up code and entry function ran.
  case refusal(LibraryRefusal, text: String)
  /// Some records of the flush that is filling in their family. The two families interleave.
  case entries(EntryRecords)
  /// The flush of a family is complete: `count` records since that family's last flush, at least 1. The child waits for
  /// a ``HostMessage/verdict(_:)`` (R-ORD-4). After a verdict other than 0 no more entries come.
  case flush(EntryFamily, count: Int)
  /// A line of the provider's log, at most ``Frame/maximumText`` bytes. How many come is up to the provider: bound them.
  case log(LogSeverity, String)
  /// The provider's own error, unchanged (R-LIFE-6). The last one before `final` counts, and none when that says 0.
  case providerError(domain: String, code: Int, message: String)
  /// Entries done and in all, a hint; total 0 means unknown.
  case progress(completed: UInt64, total: UInt64)
  /// Dirty memory grew beyond the limit, both in bytes; the child ends itself (R-MEM-1).
  case overMemory(peak: Int, limit: Int)
  /// The child can't do its work, for a reason that isn't the provider's.
  case runtimeFailure(String)
  /// `load` returned; without this record no load has succeeded, whatever the exit status.
  case final(FinalRecord)
}

/// How far a child came; each is told when it is reached, so a crash is named by the last one.
public enum ProviderStage: UInt8, Sendable, CaseIterable {
  /// The process runs; next it reads its configuration and confines itself.
  case started = 1
  /// Privileges are given up; next the library is opened, which runs its start-up code.
  case confined = 2
  /// The library is open; next its entry symbol is looked up and called.
  case libraryLoaded = 3
  /// The entry gave a usable table; next `create` is called.
  case entryFound = 4
  /// An instance exists.
  case created = 5
  /// `load` is about to be called.
  case loading = 6
  /// `load` has returned and the last flushes are answered; next `destroy` is called.
  case finished = 7
}

extension ProviderStage: CustomStringConvertible {
  /// What the child was doing after this stage: completes "crashed while …".
  public var description: String {
    switch self {
    case .started: "preparing the process"
    case .confined: "opening the library"
    case .libraryLoaded: "finding the entry"
    case .entryFound: "creating the provider"
    case .created: "preparing the load"
    case .loading: "loading"
    case .finished: "destroying the provider"
    }
  }
}

/// How one layer of confinement went in the child.
public struct ConfinementLayer: Hashable, Sendable {
  /// The outcomes.
  public enum State: UInt8, Sendable, CaseIterable {
    /// In force.
    case applied = 1
    /// The kernel doesn't have it.
    case unavailable = 2
    /// It failed.
    case failed = 3
    /// Switched off by the configuration.
    case skipped = 4
  }
  /// A short name, for example `no-new-privileges`.
  public var name: String
  /// How it went.
  public var state: State
  /// More in words; may be empty.
  public var detail: String

  /// A layer's outcome.
  public init(name: String, state: State, detail: String = "") {
    self.name = name
    self.state = state
    self.detail = detail
  }
}

/// What the library's table says. Text of the library: to be shown, never to be trusted.
public struct ProviderDescriptor: Hashable, Sendable {
  /// The library's own name, usually reverse-DNS.
  public var identifier: String
  /// The library's version.
  public var version: String
  /// The title the library suggests.
  public var title: String
  /// The minor version of the ABI it was built for.
  public var abiMinor: UInt32

  /// A descriptor of the given fields.
  public init(identifier: String, version: String, title: String, abiMinor: UInt32) {
    self.identifier = identifier
    self.version = version
    self.title = title
    self.abiMinor = abiMinor
  }
}

/// Why a library can't be loaded.
public enum LibraryRefusal: UInt8, Sendable, CaseIterable {
  /// The dynamic linker refused it; its words are the text.
  case cannotOpen = 1
  /// It exports no `calldir_provider_entry_v1`.
  case noEntry = 2
  /// The entry returned NULL: it needs a newer host.
  case unsupportedABI = 3
  /// The table is too short or lacks a function; the text says which.
  case malformedTable = 4
}

/// How urgent a log line is; the numbers are the ABI's.
public enum LogSeverity: UInt8, Sendable, CaseIterable {
  case debug = 0
  case info = 1
  case warning = 2
  case error = 3
}

/// What the child says at the end of a load.
public struct FinalRecord: Hashable, Sendable {
  /// 0, or the first status that ended the load: a verdict, misuse, or what `create` or `load` returned.
  public var status: WireStatus
  /// Blocking entries that the provider added and the child sent, whatever their verdict.
  public var blocking: UInt64
  /// Identification entries likewise, also those with a label that the host drops.
  public var identification: UInt64
  /// Adds refused on the spot: after a verdict, or misuse.
  public var refusedAdds: UInt64
  /// Dirty memory right after the library was opened, in bytes.
  public var baselineMemory: UInt64
  /// The most it grew beyond that, in bytes, sampled at every frame and at the end (R-MEM-1).
  public var peakMemory: UInt64

  /// A record of the given fields.
  public init(
    status: WireStatus, blocking: UInt64, identification: UInt64, refusedAdds: UInt64, baselineMemory: UInt64,
    peakMemory: UInt64
  ) {
    self.status = status
    self.blocking = blocking
    self.identification = identification
    self.refusedAdds = refusedAdds
    self.baselineMemory = baselineMemory
    self.peakMemory = peakMemory
  }
}
