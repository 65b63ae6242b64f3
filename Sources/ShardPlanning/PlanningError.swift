public import CallDirectory

/// Why a plan cannot be carried out over its rows. Nothing has been written when one is thrown.
public struct PlanningError: Error, Sendable {
  /// What kind of failure it is, with what a program may want to know of it.
  public enum Kind: Sendable {
    /// The claims of the plan hold more clauses than the planner can compare.
    case tooManyClauses
    /// An area or a source that a claim names matches no row.
    case claimMatchesNothing(ProviderID, key: String, value: String)
    /// Entries that no provider claims.
    case unclaimed(EntryCounts)
    /// Entries for which no provider has room.
    case noRoom([Shortage])
  }

  /// Entries with the same claimants for which room is missing.
  public struct Shortage: Hashable, Sendable {
    /// The providers that claim them, in plan order.
    public var claimants: [ProviderID]
    /// Where they may spill to, in order.
    public var spillsTo: [ProviderID]
    /// How many entries there are, per family.
    public var entries: EntryCounts
    /// How many of them found no room.
    public var missing: Int
    /// What the claimants and their spill targets may hold together.
    public var limit: Int
  }

  /// The kind of failure.
  public var kind: Kind
  /// File, line and column of the plan's text it is about; empty as long as nobody who has the text fills it in.
  public var place = ""
  /// The key path of the plan it is about; empty when it is about the whole plan.
  public var keyPath: String
  /// What is wrong, without the key path.
  public var message: String
  /// What to do about it.
  public var hint: String

  static func tooManyClauses(count: Int, most: Int) -> PlanningError {
    PlanningError(
      kind: .tooManyClauses, keyPath: "providers",
      message: "the claims hold \(count) clauses, and at most \(most) can be compared",
      hint: "join alternatives that differ in one key only: a key takes a list")
  }

  static func nothing(_ provider: ProviderID, key: String, value: String, nearest: String?) -> PlanningError {
    PlanningError(
      kind: .claimMatchesNothing(provider, key: key, value: value), keyPath: "providers[\(provider)].\(key)",
      message: "no row has the \(key == "areas" ? "area" : "source") \"\(value)\"",
      hint: (nearest.map { "did you mean \"\($0)\"? Else " } ?? "")
        + "\"mayBeEmpty\": true on the provider accepts a claim that matches nothing")
  }

  static func unclaimed(_ counts: EntryCounts, samples: [PhoneNumber], dropIsSet: Bool) -> PlanningError {
    let shown = samples.map(\.description).joined(separator: ", ")
    let hint =
      dropIsSet
      ? "a block is never dropped: let a provider claim it, for example one with \"rest\": true"
      : "let a provider claim them, for example one with \"rest\": true, or set \"unclaimed\": \"drop\""
    return PlanningError(
      kind: .unclaimed(counts), keyPath: "providers",
      message:
        "no provider claims \(grouped(counts.blocking)) blocking and \(grouped(counts.identification)) identification entries"
        + ", for example \(shown)",
      hint: hint)
  }

  static func noRoom(_ shortages: [Shortage]) -> PlanningError {
    let lines = shortages.map { shortage in
      let names = shortage.claimants.map(\.rawValue).joined(separator: ", ")
      let spill = shortage.spillsTo.map(\.rawValue).joined(separator: ", ")
      return
        "\(names): \(grouped(shortage.missing)) of \(grouped(shortage.entries.total)) entries "
        + "(\(grouped(shortage.entries.blocking)) blocking, \(grouped(shortage.entries.identification)) identification) "
        + "find no room; the limit is \(grouped(shortage.limit))"
        + (spill.isEmpty ? "" : ", \(spill) included")
    }
    let missing = shortages.reduce(0) { $0 + $1.missing }
    let providers = (missing + EntryLimit.maximum - 1) / EntryLimit.maximum
    return PlanningError(
      kind: .noRoom(shortages), keyPath: "providers", message: lines.joined(separator: "; "),
      hint:
        "\(grouped(missing)) fewer entries would fit, or \(providers) more provider\(providers == 1 ? "" : "s") with room: "
        + "name one in \"spillsTo\", give the provider copies with \"count\", or narrow a claim")
  }

  /// An integer with thousands apart.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }
}

extension PlanningError: CustomStringConvertible {
  /// `place: keyPath: message`.
  public var description: String { [place, keyPath, message].filter { !$0.isEmpty }.joined(separator: ": ") }
}
