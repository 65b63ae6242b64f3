public import CallDirectory

/// The phone's checks on the entries of one request: order and duplicates per family, the cap over both (R-ORD-1 … 5,
/// R-CAP-1, R-CAP-2), labels (R-ENT-3). Pure: no I/O, nothing allocated per entry, O(1) per number, O(label) per label.
///
/// Entries are judged as they come, but nothing is told before the flush they belong to ends (R-ORD-4): ask `endFlush`.
/// The families are flushed independently. At the end of a flush the cap is looked at first, then order, because the
/// phone counts a buffer before it looks into it.
public struct EntryChecker {
  /// What is to be done with one entry.
  public enum Verdict: Sendable {
    /// It may go to the sink. Given only while the request can still be accepted.
    case take
    /// It is left out and costs nothing; a warning counts it.
    case drop
    /// It breaks a rule or comes after one that did; the request will be refused.
    case refuse
  }

  /// The most entries of both families together.
  public let entryLimit: Int
  /// Entries of flushes that were accepted.
  public private(set) var accepted = EntryCounts()
  private var blocking = FamilyCheck(family: .blocking)
  private var identification = FamilyCheck(family: .identification)
  private var tally = WarningTally()

  /// A checker at the start of a request.
  public init(entryLimit: Int = EntryLimit.maximum) { self.entryLimit = entryLimit }

  /// Judges the next blocking entry.
  public mutating func checkBlocking(_ number: PhoneNumber) -> Verdict {
    if number.rawValue == .max { note(.unmatchableNumber, blocking, number) }
    return blocking.check(number, elsewhere: accepted.total, waiting: identification.pending, limit: entryLimit)
  }

  /// Judges the next identification entry. `isOverlong` says that the label had more than 65,534 bytes and `label` is
  /// empty for it.
  ///
  /// A label that is not UTF-8 is dropped like an empty one: a phone cannot be given such a text.
  public mutating func checkIdentification(
    _ number: PhoneNumber, label: UnsafeRawBufferPointer, isOverlong: Bool = false
  ) -> Verdict {
    guard !isOverlong, CallLabel.isKept(byteCount: label.count) else {
      return drop(number, label.isEmpty && !isOverlong ? .emptyLabel : .overlongLabel)
    }
    guard LabelText.isUTF8(label) else { return drop(number, .labelNotUTF8) }
    if number.rawValue == .max { note(.unmatchableNumber, identification, number) }
    return identification.check(number, elsewhere: accepted.total, waiting: blocking.pending, limit: entryLimit)
  }

  /// Ends the flush that is filling in `family`. Nil when it is accepted; else the request has failed, and no later
  /// entry is of interest.
  public mutating func endFlush(_ family: EntryFamily) -> OrderViolation? {
    let count = pending(family)
    let violation =
      switch family {
      case .blocking: blocking.endFlush(elsewhere: accepted.total, limit: entryLimit)
      case .identification: identification.endFlush(elsewhere: accepted.total, limit: entryLimit)
      }
    if violation == nil { accepted[family] += count }
    return violation
  }

  /// Entries that count in the flush that is filling in `family`.
  public func pending(_ family: EntryFamily) -> Int {
    family == .blocking ? blocking.pending : identification.pending
  }

  /// Entries seen in `family`, dropped ones included.
  public func seen(_ family: EntryFamily) -> Int { family == .blocking ? blocking.seen : identification.seen }

  /// What was dropped or is odd, one warning for each kind, ordered by kind.
  public var warnings: [LoadWarning] { tally.warnings }

  private mutating func drop(_ number: PhoneNumber, _ kind: LoadWarning.Kind) -> Verdict {
    note(kind, identification, number)
    identification.skip()
    return .drop
  }

  private mutating func note(_ kind: LoadWarning.Kind, _ check: FamilyCheck, _ number: PhoneNumber) {
    tally.add(kind, first: LoadWarning.Position(family: check.family, index: check.seen, number: number))
  }
}
