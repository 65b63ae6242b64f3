public import CallDirectory

/// What a look-up needs from the plan, copied into the store when a release is applied, so that a plan that is being
/// edited changes no answer.
public struct FrozenPlan: Hashable, Sendable {
  /// The plan's `name`.
  public var name: String
  /// What tells this plan from another one; equal for every edition of one plan. Opaque here.
  public var identity: String
  /// The app's name on the call screen: the plan's `title`, else its `name` (R-WIN-6).
  public var title: String
  /// The caller's region (ISO 3166 alpha-2), or nil.
  public var country: String?
  /// The generation of the phone's system.
  public var profile: PhoneProfile.Name
  /// The plan's own rule on contacts, or nil for the profile's (R-WIN-3).
  public var contactsOverrideBlocks: Bool?

  /// A copy with the given fields.
  public init(
    name: String, identity: String, title: String, country: String? = nil, profile: PhoneProfile.Name = .ios18,
    contactsOverrideBlocks: Bool? = nil
  ) {
    self.name = name
    self.identity = identity
    self.title = title
    self.country = country
    self.profile = profile
    self.contactsOverrideBlocks = contactsOverrideBlocks
  }
}
