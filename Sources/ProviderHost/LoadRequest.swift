public import CallDirectory

/// One load of one provider: what to load, what it gets, and within which bounds.
public struct LoadRequest: Sendable {
  /// The provider.
  public var providerID: ProviderID
  /// Its title in the settings.
  public var title: String
  /// The library.
  public var libraryPath: String
  /// The provider's own writable folder; made by the caller.
  public var containerPath: String
  /// Its shard, or the index of its packs, which lie in the same folder: whatever limits what a provider may read has to allow that
  /// folder. Nil for a provider with data of its own.
  public var shardPath: String?
  /// The plan's `options` object, verbatim.
  public var optionsJSON: String
  /// The generation of phone that is played: how many entries make a flush (R-ORD-4).
  public var profile: PhoneProfile
  /// Ceiling on dirty memory grown since the library was opened, in bytes (R-MEM-1); 0 for none.
  public var memoryLimit: Int
  /// The most entries of both families together (R-CAP-1, R-CAP-2).
  public var entryLimit: Int
  /// Seconds from the start of the child to its end; nil for no limit (R-TIME-1).
  public var watchdogSeconds: Double?
  /// Seconds a provider has to return after the host refused its entries or the load was cancelled (R-LIFE-7).
  public var graceSeconds: Double
  /// The most bytes kept of what the provider prints, half from its beginning and half from its end.
  public var capturedOutputLimit: Int
  /// The most lines kept of what the provider logs.
  public var logLimit: Int
  /// Cancels the load from another thread.
  public var cancellation: LoadCancellation?

  /// A load with the bounds of `profile`.
  public init(
    providerID: ProviderID, title: String? = nil, libraryPath: String, containerPath: String,
    shardPath: String? = nil, optionsJSON: String = "{}", profile: PhoneProfile = PhoneProfile(.ios18),
    memoryLimit: Int? = nil, entryLimit: Int = EntryLimit.maximum, watchdogSeconds: Double? = nil,
    graceSeconds: Double = 10, capturedOutputLimit: Int = 8_192, logLimit: Int = 100,
    cancellation: LoadCancellation? = nil
  ) {
    self.providerID = providerID
    self.title = title ?? providerID.rawValue
    self.libraryPath = libraryPath
    self.containerPath = containerPath
    self.shardPath = shardPath
    self.optionsJSON = optionsJSON
    self.profile = profile
    self.memoryLimit = memoryLimit ?? profile.memoryLimit
    self.entryLimit = entryLimit
    self.watchdogSeconds = watchdogSeconds
    self.graceSeconds = graceSeconds
    self.capturedOutputLimit = capturedOutputLimit
    self.logLimit = logLimit
    self.cancellation = cancellation
  }
}
