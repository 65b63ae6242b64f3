/// A region with a numbering plan of its own, by its ISO 3166-1 alpha-2 code.
///
/// Only regions the numbering metadata knows can be made (245, source: libphonenumber).
public struct RegionCode: Hashable, Sendable {
  /// The two letters, first in the high byte.
  private let letters: UInt16

  /// The region of a two-letter code, in either case; nil for any other text and for codes without a numbering plan.
  public init?(_ text: String) {
    var bytes = text.utf8.makeIterator()
    guard let first = bytes.next(), let second = bytes.next(), bytes.next() == nil else { return nil }
    self.init(first, second)
  }

  /// The region of two ASCII letters, in either case; nil when it is not known. Does not allocate.
  public init?(_ first: UInt8, _ second: UInt8) {
    let high = first & ~0x20
    let low = second & ~0x20
    guard (65...90).contains(high), (65...90).contains(low), RegionCode.entry(high, low) != 0 else { return nil }
    letters = UInt16(high) << 8 | UInt16(low)
  }

  private static func entry(_ high: UInt8, _ low: UInt8) -> Int {
    NumberingMetadata.pair(NumberingMetadata.regions, ((Int(high) - 65) * 26 + Int(low) - 65) * 2)
  }

  /// Index of the region's plan in the metadata.
  var plan: Int { RegionCode.entry(UInt8(letters >> 8), UInt8(letters & 0xff)) - 1 }

  /// The two upper-case letters.
  public var rawValue: String {
    String(UnicodeScalar(UInt8(letters >> 8))) + String(UnicodeScalar(UInt8(letters & 0xff)))
  }

  /// The country calling code, 1 … 999; several regions may share one.
  public var callingCode: Int { NumberingRules(self).callingCode }

  /// What is dialled in front of a national number as people write it, for example `0` or `8`; empty for none.
  public var trunkPrefix: String {
    var text = ""
    NumberingRules.forEachLiteralCharacter(at: NumberingRules(self).trunkPrefix) {
      text.unicodeScalars.append(UnicodeScalar($0))
    }
    return text
  }

  /// Every known region, ascending.
  public static var all: [RegionCode] {
    (UInt8(65)...90).flatMap { high in (UInt8(65)...90).compactMap { RegionCode(high, $0) } }
  }
}

extension RegionCode: Comparable {
  /// By letters.
  public static func < (left: RegionCode, right: RegionCode) -> Bool { left.letters < right.letters }
}

extension RegionCode: CustomStringConvertible {
  /// The two letters.
  public var description: String { rawValue }
}
