public import CallDirectory

/// What is known of a release after `DirectoryPublisher.verify`.
public struct ReleaseProof: Sendable {
  /// One property of a release.
  public struct Check: Hashable, Sendable {
    /// How it ended.
    public enum Outcome: String, Sendable {
      /// It holds.
      case holds
      /// It does not.
      case fails
      /// It could not be checked; `text` says why.
      case notChecked
    }

    /// What was checked, a word for programs.
    public var name: String
    /// How that ended.
    public var outcome: Outcome
    /// The same in a sentence.
    public var text: String
  }

  /// A number that has several labels.
  public struct Rivalry: Hashable, Sendable {
    /// The number.
    public var number: PhoneNumber
    /// Who gives which, in the release's order.
    public var labels: [(provider: ProviderID, label: String)]

    /// By number and labels.
    public static func == (left: Rivalry, right: Rivalry) -> Bool {
      left.number == right.number && left.labels.elementsEqual(right.labels, by: ==)
    }

    /// Feeds number and labels.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(number)
      for (provider, label) in labels {
        hasher.combine(provider)
        hasher.combine(label)
      }
    }
  }

  /// What each check came to.
  public var checks: [Check] = []
  /// Everything that is wrong; empty when every check holds or could not be made.
  public var problems: [ReleaseError] = []
  /// Numbers whose label depends on the order of the providers in the settings; nil when shards could not be read. Blocks never do:
  /// a block of any provider blocks.
  public var labelsByOrder: Int?
  /// The first of them, ascending.
  public var rivalries: [Rivalry] = []
  /// Numbers that the sources give to other providers, or with other labels or blocks, than the release has; nil when that was not
  /// compared.
  public var differences: Int?
  /// The first of them in words, ascending.
  public var differenceSamples: [String] = []

  mutating func add(_ name: String, _ outcome: Check.Outcome, _ text: String) {
    checks.append(Check(name: name, outcome: outcome, text: text))
  }

  /// Adds a check that fails.
  mutating func add(_ name: String, _ found: [ReleaseError]) { add(name, "", found) }

  /// Adds a check that holds unless there are problems.
  mutating func add(_ name: String, _ text: String, _ found: [ReleaseError]) {
    problems += found
    add(name, found.isEmpty ? .holds : .fails, found.isEmpty ? text : found[0].what)
  }
}
