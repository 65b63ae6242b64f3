/// A number as a call directory stores it: country calling code followed by the national significant number, as one
/// integer without `+` and without trunk prefix, for example 74951234567.
///
/// Any `Int64` can be held: the phone's loader does not check E.164, so 112 and even negative values are representable
/// and are judged by the order rules alone (R-ENT-2, R-ORD-3).
public struct PhoneNumber: RawRepresentable, Hashable, Comparable, Sendable {
  /// The digits as an integer.
  public let rawValue: Int64

  /// Wraps `rawValue` unchecked.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Wraps `rawValue` unchecked.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// The most digits an E.164 number has (ITU-T E.164, 6.2.1).
  public static let maximumDigits = 15

  /// Ascending as integers, which is the order the phone demands.
  public static func < (left: PhoneNumber, right: PhoneNumber) -> Bool { left.rawValue < right.rawValue }
}

extension PhoneNumber: CustomStringConvertible {
  /// `+` and the digits; a number below 10,000,000 (a short code) without `+`.
  public var description: String { rawValue >= 10_000_000 ? "+\(rawValue)" : "\(rawValue)" }
}
