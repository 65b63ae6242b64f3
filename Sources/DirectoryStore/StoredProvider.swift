public import CallDirectory
public import Digests

/// What the store keeps about one provider.
public struct StoredProvider: Hashable, Sendable {
  /// A load that failed.
  public struct Failure: Hashable, Sendable {
    /// The error as the phone reports it, the provider's own domain and code included (R-LIFE-6).
    public var error: PhoneError
    /// What happened, in words.
    public var text: String
    /// When, in seconds since 1970.
    public var failedAt: Int64

    /// A failure with the given fields.
    public init(error: PhoneError, text: String, failedAt: Int64) {
      self.error = error
      self.text = text
      self.failedAt = failedAt
    }
  }

  /// Who it is (R-WIN-5).
  public var id: ProviderID
  /// The name shown in the settings.
  public var title: String
  /// Whether the applied plan names it; otherwise its library was dropped in.
  public var isPlanned: Bool
  /// The library as the plan or the listing names it, or nil when that is not known.
  public var library: String?
  /// The switch in the settings.
  public var isOn: Bool
  /// What look-ups use.
  public var active: StoredGeneration?
  /// What `restore` brings back.
  public var previous: StoredGeneration?
  /// How the last load failed; nil after one that was accepted.
  public var lastFailure: Failure?
  /// Digests of libraries of this provider that crashed and are not started again until forgiven.
  public var quarantine: [SHA256Digest]

  /// A provider that has never been loaded.
  public init(id: ProviderID, title: String, isPlanned: Bool, library: String?, isOn: Bool) {
    self.id = id
    self.title = title
    self.isPlanned = isPlanned
    self.library = library
    self.isOn = isOn
    quarantine = []
  }

  /// The state as far as the store's own words say it: `off-empty`, `off-with-data` or `on` (R-LIFE-1).
  public var storedState: ProviderState { isOn ? .on : active == nil ? .offEmpty : .offWithData }

  /// Whether switching on has to run a full load first (R-LIFE-3).
  public func needsLoadToSwitchOn(_ profile: PhoneProfile) -> Bool { active == nil || profile.loadsOnEnable }

  /// The files of the store that it refers to.
  var ownFiles: [String] { [active?.ownFile, previous?.ownFile].compactMap { $0 } }
}
