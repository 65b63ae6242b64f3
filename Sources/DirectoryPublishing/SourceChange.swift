public import CallDirectory
internal import PlanFile
public import ShardPlanning

/// What a source comes to now and came to in the base release.
public struct SourceChange: Hashable, Sendable {
  /// The source.
  public var id: String
  /// Its accounts in the base release; nil for a source that is new.
  public var before: OccurrenceAccounts?
  /// Its accounts in this run; nil for a source that is no longer in the plan.
  public var after: OccurrenceAccounts?

  /// The sources of `accounts` in their order, then those that only `base` has.
  static func all(_ accounts: ReleaseAccounts, base: ReleaseAccounts) -> [SourceChange] {
    let now = accounts.sources.map { source in
      SourceChange(
        id: source.id, before: base.sources.first { $0.id == source.id }?.occurrences, after: source.occurrences)
    }
    let gone = base.sources.filter { source in !accounts.sources.contains { $0.id == source.id } }
    return now + gone.map { SourceChange(id: $0.id, before: $0.occurrences, after: nil) }
  }
}

/// A limit of a `guard` that a run exceeds.
public struct GuardBreach: Hashable, Sendable {
  /// What is guarded.
  public enum Subject: Hashable, Sendable {
    /// A source, by its id.
    case source(String)
    /// A provider, its copies together.
    case provider(ProviderID)
  }

  /// Which limit.
  public enum Kind: String, Sendable {
    case shrink, growth, rejected
  }

  /// The source or provider.
  public var subject: Subject
  /// Which of its limits.
  public var kind: Kind
  /// The limit, as a fraction.
  public var limit: Double
  /// Occurrences used in this run, of a provider its entries; for `rejected`, refused.
  public var count: Int
  /// The same in the base release; for `rejected`, read in this run.
  public var reference: Int
  /// The base release; nil for `rejected`.
  public var release: Int?
  /// Where the guard stands in the plan.
  public var place: String

  /// How far beyond `reference` the run is, as the fraction that the limit is about; nil where the base had none.
  public var fraction: Double? {
    guard reference > 0 else { return nil }
    let difference = kind == .rejected ? count : kind == .shrink ? reference - count : count - reference
    return Double(difference) / Double(reference)
  }

  /// The limits that a source exceeds. `change` tells what it was in the base; a source that is new has no past to differ
  /// from.
  static func all(
    _ change: SourceChange, _ limits: SourceGuard, release: Int?, place: String
  ) -> [GuardBreach] {
    guard let after = change.after else { return [] }
    var breach = GuardBreach(
      subject: .source(change.id), kind: .rejected, limit: 0, count: after.used, reference: change.before?.used ?? 0,
      release: release, place: place)
    let changes = change.before == nil ? [] : breach.changes(shrink: limits.shrink, growth: limits.growth)
    guard let limit = limits.rejected, isBeyond(after.refused, limit, of: after.read) else { return changes }
    breach.limit = limit
    breach.count = after.refused
    breach.reference = after.read
    breach.release = nil
    return changes + [breach]
  }

  /// The limits that a provider exceeds that has `count` entries and had `before` in the base.
  static func all(
    _ provider: ProviderID, count: Int, before: Int, _ limits: ProviderGuard, release: Int?, place: String
  ) -> [GuardBreach] {
    GuardBreach(
      subject: .provider(provider), kind: .shrink, limit: 0, count: count, reference: before, release: release,
      place: place
    ).changes(shrink: limits.shrink, growth: limits.growth)
  }

  /// This, once for each limit that the step from `reference` to `count` exceeds.
  private func changes(shrink: Double?, growth: Double?) -> [GuardBreach] {
    [(Kind.shrink, shrink, reference - count), (.growth, growth, count - reference)].compactMap {
      kind, limit, difference in
      guard let limit, Self.isBeyond(difference, limit, of: reference) else { return nil }
      var breach = self
      breach.kind = kind
      breach.limit = limit
      return breach
    }
  }

  /// A fraction such as 0.3 is not exact in binary: what is a billionth above it is still it.
  private static func isBeyond(_ difference: Int, _ limit: Double, of reference: Int) -> Bool {
    difference > 0 && Double(difference) > limit * Double(reference) * (1 + 1e-9)
  }
}

extension GuardBreach: CustomStringConvertible {
  /// `plan.json:7:3: source "spam": 120 used, 4000 in release 7: 97 % fewer, and its guard allows 30 %`.
  public var description: String { "\(place): \(finding)" }

  /// The same without the place.
  public var finding: String {
    let share = fraction.map(Self.percent)
    let allowed = Self.percent(limit)
    let (name, counted) =
      switch subject {
      case .source(let id): ("source \"\(id)\"", "used")
      case .provider(let id): ("provider \"\(id)\"", "entries")
      }
    let what =
      switch kind {
      case .shrink:
        "\(count) \(counted), \(reference) in release \(release ?? 0): \(share ?? "") fewer, and its guard allows"
      case .growth:
        "\(count) \(counted), \(reference) in release \(release ?? 0): \(share.map { "\($0) more" } ?? "all new"), and its guard "
          + "allows"
      case .rejected: "\(count) of \(reference) refused: \(share ?? ""), and its guard allows"
      }
    return "\(name): \(what) \(allowed)"
  }

  /// What holds after a breach of `rejected` was accepted: unlike a change, it is no difference from the release before.
  public static let staysRejected = "the next run stops again unless \"rejected\" is raised or the rows are mended"

  /// A fraction in percent with up to two decimals.
  private static func percent(_ fraction: Double) -> String {
    let hundredths = (fraction * 10_000).rounded()
    guard hundredths < 1e15 else { return "\(fraction * 100) %" }
    let (whole, rest) = (Int(hundredths) / 100, Int(hundredths) % 100)
    if rest == 0 { return "\(whole) %" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10) %" : "\(whole).\(rest < 10 ? "0" : "")\(rest) %"
  }
}

/// Sources or providers differ from the base release by more than their guards allow. Nothing was written.
public struct GuardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The limits exceeded, in plan order; at least one.
  public var breaches: [GuardBreach]

  /// One line for each limit.
  public var description: String { breaches.map(\.description).joined(separator: "\n") }
  /// What to do.
  public var hint: String {
    "look at the sources; --accept-change accepts what they are now"
      + (breaches.contains { $0.kind == .rejected } ? ", once: \(GuardBreach.staysRejected)" : "")
  }
}
