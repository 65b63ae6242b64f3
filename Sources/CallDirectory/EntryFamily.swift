/// The two lists of a call directory. A number may be in both; each list is strictly ascending by itself (R-ENT-1).
public enum EntryFamily: UInt8, Sendable, CaseIterable {
  /// Numbers whose calls are refused.
  case blocking = 0
  /// Numbers with a label.
  case identification = 1
}

extension EntryFamily: CustomStringConvertible {
  /// The word used in plans, messages and reports.
  public var description: String {
    switch self {
    case .blocking: "blocking"
    case .identification: "identification"
    }
  }
}
