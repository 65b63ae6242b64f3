/// Numbers of entries per family.
public struct EntryCounts: Hashable, Sendable {
  /// Entries of the blocking family.
  public var blocking: Int
  /// Entries of the identification family.
  public var identification: Int

  /// Counts of the two families; none by default.
  public init(blocking: Int = 0, identification: Int = 0) {
    self.blocking = blocking
    self.identification = identification
  }

  /// Both families together: what the phone's cap is about (R-CAP-2).
  public var total: Int { blocking + identification }

  /// The count of one family.
  public subscript(family: EntryFamily) -> Int {
    get { family == .blocking ? blocking : identification }
    set {
      switch family {
      case .blocking: blocking = newValue
      case .identification: identification = newValue
      }
    }
  }
}
