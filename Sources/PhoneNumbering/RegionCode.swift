/// An ISO 3166-1 alpha-2 code, as the numbering plans use it.
public struct RegionCode: Hashable, Comparable, Sendable {
  let code: UInt16

  /// Nil unless `text` is two upper-case letters.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 2, bytes.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    code = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  }

  /// The two letters.
  public var rawValue: String { String(decoding: [UInt8(code >> 8), UInt8(code & 0xFF)], as: UTF8.self) }

  /// By the letters.
  public static func < (left: RegionCode, right: RegionCode) -> Bool { left.code < right.code }
}

/// How numbers without `+` are understood.
public enum NumberInterpretation: String, Sendable, CaseIterable {
  /// National for the source's country where that gives a possible number, else international.
  case auto
  /// Every number begins with its country calling code.
  case international
  /// Every number is in its country's national form unless it begins with `+` or the country's international prefix.
  case national
}
