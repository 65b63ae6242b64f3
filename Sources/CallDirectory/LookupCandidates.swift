/// The integers a phone compares with its directories for one caller (R-MAT-2, R-MAT-3), in the order it tries them,
/// without repeats.
public struct LookupCandidates: Hashable, Sendable {
  /// Compared with blocking entries.
  public var blocking: [PhoneNumber]
  /// Compared with identification entries.
  public var identification: [PhoneNumber]

  /// Candidates as given.
  public init(blocking: [PhoneNumber], identification: [PhoneNumber]) {
    self.blocking = blocking
    self.identification = identification
  }
}
