/// The name of a provider in plans, commands, stores and reports. Identity is the id, never a position (R-WIN-5).
///
/// 1 … 64 of `A–Z a–z 0–9 . _ -`, beginning with a letter or a digit, so that it is also a safe file name.
public struct ProviderID: Hashable, Comparable, Sendable {
  /// The id as written.
  public let rawValue: String

  /// The most characters of an id.
  public static let maximumLength = 64

  /// Nil when `text` is not a valid id.
  public init?(_ text: String) {
    let bytes = text.utf8
    guard (1...Self.maximumLength).contains(bytes.count), let first = bytes.first, Self.isAlphanumeric(first),
      bytes.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D })
    else { return nil }
    rawValue = text
  }

  /// What a valid id looks like, for error texts.
  public static let expectation = "1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit"

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// By the bytes of the id; says nothing about the settings order.
  public static func < (left: ProviderID, right: ProviderID) -> Bool { left.rawValue < right.rawValue }
}

extension ProviderID: CustomStringConvertible {
  /// The id as written.
  public var description: String { rawValue }
}
