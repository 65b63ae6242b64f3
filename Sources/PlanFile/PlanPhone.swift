public import CallDirectory
public import PhoneNumbering

/// The plan's `phone`: which phone loads the providers.
public struct PlanPhone: Sendable {
  /// The generation of the system, with the plan's own `memoryLimit` and `contactsOverrideBlocks` where stated.
  public var profile: PhoneProfile
  /// Where the phone is; the plan's country unless stated.
  public var country: RegionCode?
  /// The file of the phone's contacts, if there is one.
  public var contacts: String?
}
