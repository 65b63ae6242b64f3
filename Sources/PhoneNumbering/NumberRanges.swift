public import CallDirectory

/// The numbers that a pattern or a range stands for: closed ranges, disjoint and ascending.
///
/// Most patterns are one range, so the first one costs no allocation.
public struct NumberRanges: Hashable, Sendable {
  /// The first range.
  public var first: ClosedRange<PhoneNumber>
  /// The ranges behind it: more lengths of a `*`, or the other digits of a `#` in the middle.
  public var more: [ClosedRange<PhoneNumber>]
  /// What was repaired in the ends, or is worth knowing. `unassigned` where no number that was tried is assigned.
  public var notes: NormalisationNotes

  /// Ranges that are disjoint and ascending.
  public init(first: ClosedRange<PhoneNumber>, more: [ClosedRange<PhoneNumber>] = [], notes: NormalisationNotes = []) {
    self.first = first
    self.more = more
    self.notes = notes
  }

  /// All ranges, ascending.
  public var all: [ClosedRange<PhoneNumber>] { [first] + more }

  /// Numbers in all of them: what the pattern costs. At most 10 to the power of 18.
  public var count: Int { more.reduce(Self.count(of: first)) { $0 + Self.count(of: $1) } }

  /// Numbers in a range of numbers that are not negative.
  public static func count(of range: ClosedRange<PhoneNumber>) -> Int {
    let (distance, overflows) = range.upperBound.rawValue.subtractingReportingOverflow(range.lowerBound.rawValue)
    return overflows || distance == .max ? .max : Int(distance) + 1
  }
}
