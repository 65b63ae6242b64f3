/// What is to be said of a number's labels.
public struct NumberFindings: OptionSet, Hashable, Sendable {
  /// One bit per finding.
  public let rawValue: UInt8

  /// The findings of a bit set.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Rows identify the number and none has a label, so all of them are refused (B-133).
  @inlinable public static var unlabelled: NumberFindings { NumberFindings(rawValue: 1 << 0) }
  /// Its rows have different labels.
  @inlinable public static var conflictingLabels: NumberFindings { NumberFindings(rawValue: 1 << 1) }
}
