public import CallDirectory

/// Whether a contact is exempt from the blocks of providers, and which setting says so (R-WIN-3).
public struct ContactRule: Hashable, Sendable {
  /// Where the rule comes from.
  public enum Origin: Hashable, Sendable {
    /// The generation of the phone's system.
    case profile(PhoneProfile.Name)
    /// `contactsOverrideBlocks` of the plan, given instead of the profile's value.
    case plan
  }

  /// Whether a provider's block does not reach a contact.
  public var contactsOverrideBlocks: Bool
  /// Which setting decided it.
  public var origin: Origin

  /// The rule of `profile`, unless `contactsOverrideBlocks` is given in its place.
  public init(profile: PhoneProfile, contactsOverrideBlocks: Bool? = nil) {
    self.contactsOverrideBlocks = contactsOverrideBlocks ?? profile.contactsOverrideBlocks
    origin = contactsOverrideBlocks == nil ? .profile(profile.name) : .plan
  }
}

extension ContactRule: CustomStringConvertible {
  /// For traces, for example `contacts are exempt from blocks (profile ios18)`.
  public var description: String {
    let rule = contactsOverrideBlocks ? "contacts are exempt from blocks" : "blocks reach contacts too"
    return switch origin {
    case .profile(let name): "\(rule) (profile \(name))"
    case .plan: "\(rule) (contactsOverrideBlocks in the plan)"
    }
  }
}
