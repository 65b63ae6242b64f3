public import CallDirectory

/// What is wrong with the entries of a refused load: the rule, and which entry broke it (R-ORD-5).
public struct OrderViolation: Hashable, Sendable {
  /// The rules that entries can break.
  public enum Rule: Hashable, Sendable {
    /// A number below its predecessor (R-ORD-1).
    case outOfOrder
    /// A number equal to its predecessor (R-ORD-2).
    case duplicate
    /// More entries than the request may have, both families together (R-CAP-1, R-CAP-2).
    case limitExceeded(limit: Int)
  }

  /// The broken rule.
  public var rule: Rule
  /// The family of the entry.
  public var family: EntryFamily
  /// Position of the entry among all that the provider added to this family, from 0, dropped ones included.
  public var index: Int
  /// The entry's number.
  public var number: PhoneNumber
  /// The number before it in its family; nil for the first, which is compared with 0 (R-ORD-3).
  public var predecessor: PhoneNumber?

  /// A violation by the entry at `index`.
  public init(rule: Rule, family: EntryFamily, index: Int, number: PhoneNumber, predecessor: PhoneNumber?) {
    self.rule = rule
    self.family = family
    self.index = index
    self.number = number
    self.predecessor = predecessor
  }

  /// The phone's code: 3, 4 or 5.
  public var phoneCode: PhoneError.ManagerCode {
    switch rule {
    case .outOfOrder: .entriesOutOfOrder
    case .duplicate: .duplicateEntries
    case .limitExceeded: .maximumEntriesExceeded
    }
  }

  /// What to do about it.
  public var hint: String {
    switch rule {
    case .outOfOrder where predecessor == nil, .duplicate where predecessor == nil:
      "numbers begin above 0: country calling code and number as one integer"
    case .outOfOrder: "add the numbers of each family in ascending order"
    case .duplicate: "add each number once to a family"
    case .limitExceeded: "spread the entries over several providers"
    }
  }
}

extension OrderViolation: CustomStringConvertible {
  /// Names the entry by its position counted from 1, its number and its predecessor.
  public var description: String {
    let entry = "\(family) entry no. \(index + 1) (\(number))"
    switch rule {
    case .outOfOrder:
      return predecessor.map { "\(entry) is lower than the one before it (\($0))" } ?? "\(entry) is negative"
    case .duplicate:
      return predecessor == nil ? "\(entry) is not above 0" : "\(entry) repeats the one before it"
    case .limitExceeded(let limit):
      return "\(entry) is beyond the \(limit) entries that one provider may have, both families together"
    }
  }
}
