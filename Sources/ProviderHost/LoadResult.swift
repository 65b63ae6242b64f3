public import CallDirectory
public import Digests

/// Everything known about a load that has ended.
public struct LoadResult: Sendable {
  /// The provider.
  public var providerID: ProviderID
  /// How it ended.
  public var outcome: LoadOutcome
  /// Entries that the sink was given; they count only when the load was accepted.
  public var counts: EntryCounts
  /// Things that should not have happened, one for each kind, ordered by kind.
  public var warnings: [LoadWarning]
  /// Who the library says it is; nil when it did not come to that.
  public var descriptor: Descriptor?
  /// What it logged, bounded by the request.
  public var log: [LogLine]
  /// Lines that were logged beyond that bound.
  public var omittedLogLines: Int
  /// The layers of confinement, as the child reported them.
  public var confinement: [ConfinementLayer]
  /// The most dirty memory seen, in bytes grown since the library was opened (R-MEM-1).
  public var peakMemory: Int
  /// Wall time from before the start of the child to after its end.
  public var seconds: Double
  /// What the provider printed, bounded by the request; not UTF-8 parts are replaced.
  public var capturedOutput: String
  /// Content of the library that was loaded; nil when it could not be read.
  public var libraryDigest: SHA256Digest?

  /// The error a phone would report; nil when the load was accepted.
  public var phoneError: PhoneError? { outcome.phoneError }

  /// What a library says about itself. Its own text: to be shown, never to be trusted.
  public struct Descriptor: Hashable, Sendable {
    /// Its name, usually reverse-DNS.
    public var identifier: String
    /// Its version.
    public var version: String
    /// The title it suggests.
    public var title: String
  }

  /// A line of a provider's log.
  public struct LogLine: Hashable, Sendable {
    /// How urgent: 0 debug, 1 information, 2 warning, 3 error.
    public var severity: Int
    /// The text.
    public var text: String
  }

  /// How a layer of confinement went.
  public struct ConfinementLayer: Hashable, Sendable {
    /// Its short name.
    public var name: String
    /// Whether it is in force.
    public var isApplied: Bool
    /// More in words; may be empty.
    public var detail: String
  }
}

extension LoadResult: CustomStringConvertible {
  /// `spam: refused: blocking entry no. 3 (+74951234567) repeats the one before it; a phone reports error 4
  /// duplicateEntries`.
  public var description: String {
    guard let phoneError else { return "\(providerID): accepted, \(counts.total) entries" }
    return "\(providerID): \(outcome); a phone reports \(phoneError)"
  }
}
