/// Limits of the text shown for an identified caller. Labels travel as UTF-8 bytes everywhere; a `String` is made only
/// to print one.
public enum CallLabel {
  /// The longest label a phone keeps, in UTF-8 bytes (R-ENT-3).
  public static let maximumBytes = 65_534

  /// Whether a phone keeps a label of `byteCount` bytes: 1 … 65,534 (R-ENT-3).
  public static func isKept(byteCount: Int) -> Bool { (1...maximumBytes).contains(byteCount) }

  /// The part a call screen shows: up to the first line end (R-ENT-4). O(n) in bytes, no allocation.
  public static func firstLine(of label: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let end = label.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return label }
    return UnsafeRawBufferPointer(rebasing: label[..<end])
  }
}
