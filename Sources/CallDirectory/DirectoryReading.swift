/// A directory that can be asked for a number: a shard, an installed generation, or a model in a test.
///
/// Implementations answer from any thread and never change.
public protocol DirectoryReading: Sendable {
  /// Entries per family.
  var counts: EntryCounts { get }
  /// In which families `number` is, without touching labels.
  func find(_ number: PhoneNumber) -> DirectoryMatch
  /// Calls `body` with each label of `number`, the one that is shown first (R-INC-5). Bytes are borrowed until `body`
  /// returns.
  func forEachLabel(of number: PhoneNumber, _ body: (UnsafeRawBufferPointer) -> Void)
}

/// In which families a directory knows a number.
public struct DirectoryMatch: OptionSet, Hashable, Sendable {
  /// Bits of the families.
  public let rawValue: UInt8
  /// A match of the given bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The number is in the blocking family.
  public static let blocked = DirectoryMatch(rawValue: 1)
  /// The number is in the identification family.
  public static let identified = DirectoryMatch(rawValue: 2)
}
