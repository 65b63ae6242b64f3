/// Where a provider stands in its life (R-LIFE-1). Only one that is `on` takes part in look-ups.
public enum ProviderState: String, Sendable, CaseIterable {
  /// Switched off, nothing stored: switching on launches the provider.
  case offEmpty = "off-empty"
  /// Switched off, its data kept: switching on launches nothing, except under `ios10` (R-LIFE-3).
  case offWithData = "off-with-data"
  /// A load is running. Derived from the held lock, never stored; look-ups go on with the old data.
  case loading
  /// Switched on; it may still be empty.
  case on
  /// Its library or its stored data cannot be opened.
  case unavailable
}

extension ProviderState: CustomStringConvertible {
  /// The word used in messages and reports.
  public var description: String { rawValue }
}
