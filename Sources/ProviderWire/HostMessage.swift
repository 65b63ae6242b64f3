/// What the host tells the child, over the child's descriptor 4: one configuration, then one verdict for each flush,
/// and a cancellation at most once.
///
/// Apart from the answer to a flush nothing but a cancellation is ever sent after the configuration, so that a child
/// that isn't waiting takes "something to read" as "cancelled". The host's end of the pipe closing counts as a
/// cancellation.
public enum HostMessage: Hashable, Sendable {
  /// What to load and within which bounds; the first frame.
  case configuration(LoadConfiguration)
  /// The answer to a flush; 0 means go on.
  case verdict(WireStatus)
  /// End the load; no further verdict follows. The child answers adds with `cancelled` and finishes.
  case cancel
}

/// All that a child needs to know for one load.
public struct LoadConfiguration: Hashable, Sendable {
  /// Absolute path of the library.
  public var libraryPath: String
  /// The provider's id in the plan.
  public var providerID: String
  /// Its title.
  public var title: String
  /// Absolute path of the provider's own writable folder.
  public var containerPath: String
  /// Absolute path of its shard; empty for a provider with data of its own.
  public var shardPath: String
  /// The plan's `options` object verbatim; `{}` when there is none.
  public var optionsJSON: String
  /// The process that starts the child: one that finds another parent ends at once.
  public var parentProcess: Int32
  /// The host's version, told to the provider; its name is `shardctl`.
  public var hostVersion: String
  /// The most entries of both families together (R-CAP-1); told to the provider, checked by the host.
  public var entryLimit: UInt64
  /// Entries of a family after which it is flushed (R-ORD-4), at least 1.
  public var flushEntries: UInt32
  /// Ceiling on dirty memory grown since the library was opened, in bytes (R-MEM-1); 0 for none.
  public var memoryLimit: UInt64
  /// Limits that the kernel enforces.
  public var resourceLimits: ResourceLimits
  /// A layer of confinement that can't be had ends the load.
  public var isSandboxStrict: Bool

  /// Limits that the kernel enforces on the child.
  public struct ResourceLimits: Hashable, Sendable {
    /// Whether reserved private memory gets a hard stop, well above the memory ceiling (RLIMIT_DATA). Sanitizers reserve
    /// terabytes and can't live with one.
    public var stopsReservedMemory: Bool
    /// Processor time in seconds (RLIMIT_CPU); 0 for no limit.
    public var cpuSeconds: UInt64
    /// Open files (RLIMIT_NOFILE); 0 for the child's own choice.
    public var openFiles: UInt64
    /// Bytes of any one file it writes (RLIMIT_FSIZE); 0 for the child's own choice.
    public var fileBytes: UInt64

    /// Limits as given.
    public init(stopsReservedMemory: Bool = true, cpuSeconds: UInt64 = 0, openFiles: UInt64 = 0, fileBytes: UInt64 = 0)
    {
      self.stopsReservedMemory = stopsReservedMemory
      self.cpuSeconds = cpuSeconds
      self.openFiles = openFiles
      self.fileBytes = fileBytes
    }
  }

  /// A configuration with the current phone's flush size and no limits until they are set.
  public init(libraryPath: String, providerID: String, entryLimit: UInt64, parentProcess: Int32) {
    self.libraryPath = libraryPath
    self.providerID = providerID
    self.entryLimit = entryLimit
    self.parentProcess = parentProcess
    title = providerID
    containerPath = ""
    shardPath = ""
    optionsJSON = "{}"
    hostVersion = ""
    flushEntries = 10_000
    memoryLimit = 0
    resourceLimits = ResourceLimits()
    isSandboxStrict = false
  }
}
