public import CallDirectory

/// One provider as the phone's settings list it, with what it has stored.
public struct InstalledProvider: Sendable {
  /// Who it is; identity is the id, never the position (R-WIN-5).
  public var id: ProviderID
  /// The name shown in the settings.
  public var title: String
  /// Where it stands. Only `on` takes part (R-LIFE-1).
  public var state: ProviderState
  /// What it has stored, or nil when that is nothing or was not opened. The directory of a provider that takes no part
  /// may be given: the trace then shows what is missing because it is off, and no decision depends on it.
  public var directory: (any DirectoryReading)?

  /// A provider with the given fields.
  public init(id: ProviderID, title: String, state: ProviderState, directory: (any DirectoryReading)?) {
    self.id = id
    self.title = title
    self.state = state
    self.directory = directory
  }

  /// Whether its entries count in a decision.
  public var isOn: Bool { state == .on }
}
