/// What differs between generations of the phone's system (SEMANTICS, "profile").
public struct PhoneProfile: Hashable, Sendable {
  /// The name used in plans and options.
  public enum Name: String, Sendable, CaseIterable {
    /// The strict early generation.
    case ios10
    /// The current generation, the default.
    case ios18
  }

  /// Which generation this is.
  public var name: Name
  /// Entries of one family after which a buffer is checked (R-ORD-4).
  public var flushEntries: Int
  /// Ceiling on dirty memory grown since the library was loaded, in bytes (R-MEM-1). A plan may lower it.
  public var memoryLimit: Int
  /// Whether a contact is exempt from provider blocks (R-WIN-3).
  public var contactsOverrideBlocks: Bool
  /// Whether switching on always runs a full load (R-LIFE-3).
  public var loadsOnEnable: Bool

  /// The values of a generation as SEMANTICS lists them.
  public init(_ name: Name) {
    self.name = name
    switch name {
    case .ios10:
      flushEntries = 5_000
      memoryLimit = 6_000_000
      contactsOverrideBlocks = false
      loadsOnEnable = true
    case .ios18:
      flushEntries = 10_000
      memoryLimit = 12_000_000
      contactsOverrideBlocks = true
      loadsOnEnable = false
    }
  }
}
