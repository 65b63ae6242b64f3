public import CallDirectory
public import DirectoryStore
public import ProviderHost

/// One provider's load as it went, accepted or not.
public struct ProviderLoad: Sendable {
  /// How a load ended.
  public enum Outcome: Sendable {
    /// Everything was taken; the generation can be installed.
    case accepted(LoadResult, StoredGeneration)
    /// The host ran the library and threw its entries away.
    case refused(LoadResult)
    /// The library was not run.
    case notStarted(NotStarted)
  }

  /// Why a library was not run.
  public struct NotStarted: Error, Hashable, Sendable {
    /// What a phone reports.
    public var error: PhoneError
    /// What is wrong.
    public var what: String
    /// What to do about it.
    public var hint: String
  }

  /// The provider.
  public var id: ProviderID
  /// How the load ended.
  public var outcome: Outcome
  /// What is remarkable about an accepted load that is no warning of the host's: entries other than those of the shard the
  /// provider was given.
  public var deviation: String?

  /// A load that ended as `outcome`.
  init(id: ProviderID, outcome: Outcome, deviation: String? = nil) {
    self.id = id
    self.outcome = outcome
    self.deviation = deviation
  }

  /// Whatever deserves attention in a load: the host's warnings and the deviation.
  public var warnings: [String] {
    (result?.warnings.map(\.description) ?? []) + [deviation].compactMap(\.self)
  }

  /// Whether the entries were taken.
  public var isAccepted: Bool { if case .accepted = outcome { true } else { false } }

  /// What the host knows of the load; nil when the library was not run.
  public var result: LoadResult? {
    switch outcome {
    case .accepted(let result, _), .refused(let result): result
    case .notStarted: nil
    }
  }

  /// The outcome's word in reports.
  public var outcomeName: String { result?.outcome.name ?? "notStarted" }

  /// What went wrong, in words; nil for an accepted load.
  public var problem: String? {
    switch outcome {
    case .accepted: nil
    case .refused(let result): "\(result)"
    case .notStarted(let reason): "\(id): \(reason.what)"
    }
  }

  /// What a phone reports; nil for an accepted load.
  public var phoneError: PhoneError? {
    switch outcome {
    case .accepted: nil
    case .refused(let result): result.phoneError
    case .notStarted(let reason): reason.error
    }
  }

  /// The failure as the store keeps it; nil for an accepted load.
  func failure(at time: Int64) -> StoredProvider.Failure? {
    guard let phoneError, let problem else { return nil }
    return StoredProvider.Failure(error: phoneError, text: problem, failedAt: time)
  }
}
