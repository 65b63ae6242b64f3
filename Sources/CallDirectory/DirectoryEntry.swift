/// One number with everything a provider says about it, as handed from the planner to a shard writer and from a shard
/// reader to a provider.
///
/// `label` is borrowed: it is valid until the iterator or callback that gave the entry moves on.
public struct DirectoryEntry {
  /// The number.
  public var number: PhoneNumber
  /// Whether the number is in the blocking family.
  public var isBlocked: Bool
  /// UTF-8 bytes of the label, or nil when the number is not in the identification family.
  public var label: UnsafeRawBufferPointer?

  /// An entry of `number` in the families that `isBlocked` and `label` say.
  public init(number: PhoneNumber, isBlocked: Bool, label: UnsafeRawBufferPointer?) {
    self.number = number
    self.isBlocked = isBlocked
    self.label = label
  }

  /// How many entries the phone counts: one per family (R-CAP-2).
  public var entryCount: Int { (isBlocked ? 1 : 0) + (label == nil ? 0 : 1) }
}
