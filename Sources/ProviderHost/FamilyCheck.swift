internal import CallDirectory

/// The state of the checks on one family within one request.
struct FamilyCheck {
  let family: EntryFamily
  /// Entries seen, dropped ones included.
  private(set) var seen = 0
  /// Entries that count in the flush that is filling.
  private(set) var pending = 0
  /// R-ORD-3: 0 in every request.
  private var last = PhoneNumber(0)
  /// Whether an entry that counts went before.
  private var hasPredecessor = false
  /// The first entry that breaks the order in the flush that is filling.
  private var violation: OrderViolation?
  /// The entry of the flush that is filling with which the cap was passed.
  private var overflow: OrderViolation?

  init(family: EntryFamily) { self.family = family }

  /// Passes an entry that is dropped: it is not compared and costs nothing.
  mutating func skip() { seen += 1 }

  /// `elsewhere`: accepted entries of both families; `waiting`: entries in the other family's unfinished flush.
  @inline(__always)
  mutating func check(_ number: PhoneNumber, elsewhere: Int, waiting: Int, limit: Int) -> EntryChecker.Verdict {
    defer { seen += 1 }
    pending += 1
    // Nothing after the first bad entry is looked at: the phone stops there.
    guard violation == nil else { return .refuse }
    guard number > last else {
      violation = entry(number == last ? .duplicate : .outOfOrder, number)
      return .refuse
    }
    // What waits in both families will be flushed or the load fails: beyond the cap the request is lost either way,
    // though the phone will say so only at a flush.
    let isBeyondLimit = elsewhere + pending + waiting > limit
    if isBeyondLimit, overflow == nil, elsewhere + pending > limit {
      overflow = entry(.limitExceeded(limit: limit), number)
    }
    last = number
    hasPredecessor = true
    return isBeyondLimit ? .refuse : .take
  }

  /// Ends the flush and says what is wrong with it.
  mutating func endFlush(elsewhere: Int, limit: Int) -> OrderViolation? {
    defer {
      pending = 0
      violation = nil
      overflow = nil
    }
    guard elsewhere + pending > limit else { return violation }
    // The cap can be passed by entries of the other family that were accepted in between: then the last one is named.
    return overflow
      ?? OrderViolation(
        rule: .limitExceeded(limit: limit), family: family, index: seen - 1, number: last, predecessor: nil)
  }

  private func entry(_ rule: OrderViolation.Rule, _ number: PhoneNumber) -> OrderViolation {
    OrderViolation(
      rule: rule, family: family, index: seen, number: number, predecessor: hasPredecessor ? last : nil)
  }
}
