/// A status as it crosses the provider ABI (`calldir_status`): an open number, so that a code unknown to this build is
/// kept as it is.
public struct WireStatus: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int32
  /// Wraps a number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Go on.
  public static let ok = WireStatus(rawValue: 0)

  /// A number below its predecessor in the family (R-ORD-1).
  public static let entriesOutOfOrder = WireStatus(rawValue: 3)
  /// A number equal to its predecessor in the family (R-ORD-2).
  public static let duplicateEntries = WireStatus(rawValue: 4)
  /// The request would exceed the cap (R-CAP-1).
  public static let maximumEntriesExceeded = WireStatus(rawValue: 5)
  /// A removal in a request that is not incremental (R-INC-3).
  public static let unexpectedIncrementalRemoval = WireStatus(rawValue: 8)

  /// The load was cancelled from outside.
  public static let cancelled = WireStatus(rawValue: 16)
  /// The host can't go on, for a reason of its own (disk full, it ended).
  public static let hostFailure = WireStatus(rawValue: 17)

  /// The provider's data is missing or can't be read.
  public static let dataUnavailable = WireStatus(rawValue: 32)
  /// The provider's data is damaged.
  public static let dataCorrupt = WireStatus(rawValue: 33)
  /// Any other failure of the provider.
  public static let providerFailure = WireStatus(rawValue: 34)
  /// The configuration isn't one the provider can work with.
  public static let badConfiguration = WireStatus(rawValue: 35)

  /// A call on a thread other than the one inside `load`.
  public static let wrongThread = WireStatus(rawValue: 48)
  /// An add while no load is running; it is ignored and counted (R-LIFE-7).
  public static let wrongState = WireStatus(rawValue: 49)
  /// An argument the ABI forbids, such as a NULL label with a length.
  public static let badArgument = WireStatus(rawValue: 50)

  /// 3, 4, 5, 8: the phone's own codes.
  public var isPhoneCode: Bool { (1...15).contains(rawValue) }
}
