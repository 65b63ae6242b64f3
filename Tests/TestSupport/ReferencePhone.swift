public import CallDirectory

/// The rules of who wins, written down as plainly as possible over dictionaries: what every other way to a decision is
/// compared with (R-WIN-1 … 3, R-MAT-4).
public struct ReferencePhone: Sendable {
  /// One provider with everything it knows.
  public struct Provider: Sendable {
    /// Its id.
    public var id: ProviderID
    /// The switch in the settings.
    public var isOn: Bool
    /// The blocking family.
    public var blocked: Set<PhoneNumber>
    /// The identification family; of several labels the first is shown.
    public var labels: [PhoneNumber: [String]]

    /// A provider with the given lists.
    public init(
      _ id: ProviderID, isOn: Bool = true, blocked: Set<PhoneNumber> = [], labels: [PhoneNumber: [String]] = [:]
    ) {
      self.id = id
      self.isOn = isOn
      self.blocked = blocked
      self.labels = labels
    }
  }

  /// What happens to a call.
  public struct Decision: Hashable, Sendable {
    /// `blocked`, `identified`, `contact` or `unknown`.
    public var kind: String
    /// The provider named as the blocker.
    public var blockedBy: ProviderID?
    /// The first line of the label.
    public var label: String?
    /// The provider that gave the label.
    public var labelFrom: ProviderID?

    /// A decision with the given fields.
    public init(_ kind: String, blockedBy: ProviderID? = nil, label: String? = nil, labelFrom: ProviderID? = nil) {
      self.kind = kind
      self.blockedBy = blockedBy
      self.label = label
      self.labelFrom = labelFrom
    }
  }

  /// The providers in settings order.
  public var providers: [Provider]
  /// Names of contacts.
  public var contacts: [PhoneNumber: String]
  /// Whether contacts are exempt from blocks.
  public var contactsOverrideBlocks: Bool

  /// A phone with the given providers in settings order.
  public init(_ providers: [Provider], contacts: [PhoneNumber: String] = [:], contactsOverrideBlocks: Bool = true) {
    self.providers = providers
    self.contacts = contacts
    self.contactsOverrideBlocks = contactsOverrideBlocks
  }

  /// The same phone with its providers in another order; ids that are not here are left out.
  public func ordered(_ ids: [ProviderID]) -> ReferencePhone {
    var copy = self
    copy.providers = ids.compactMap { id in providers.first { $0.id == id } }
    return copy
  }

  /// The same phone with exactly the providers `ids` on.
  public func switchedOn(_ ids: Set<ProviderID>) -> ReferencePhone {
    var copy = self
    for index in copy.providers.indices { copy.providers[index].isOn = ids.contains(copy.providers[index].id) }
    return copy
  }

  /// What happens to a call whose candidates are these.
  public func decide(_ candidates: LookupCandidates) -> Decision {
    let contact = (candidates.identification + candidates.blocking).compactMap { contacts[$0] }.first
    var blocker: ProviderID?
    var label: (text: String, from: ProviderID)?
    for provider in providers where provider.isOn {
      if blocker == nil, candidates.blocking.contains(where: provider.blocked.contains) { blocker = provider.id }
      let text = candidates.identification.compactMap { provider.labels[$0]?.first }.first
      if label == nil, let text { label = (text, provider.id) }
    }
    if contact != nil {
      label = nil
      if contactsOverrideBlocks { blocker = nil }
    }
    let text = (contact ?? label?.text).map(Self.firstLine)
    if let blocker { return Decision("blocked", blockedBy: blocker, label: text, labelFrom: label?.from) }
    if contact != nil { return Decision("contact", label: text) }
    if let label { return Decision("identified", label: text, labelFrom: label.from) }
    return Decision("unknown")
  }

  /// What happens to a call from `number`, compared as it is.
  public func decide(_ number: PhoneNumber) -> Decision {
    decide(LookupCandidates(blocking: [number], identification: [number]))
  }

  private static func firstLine(_ text: String) -> String {
    // "\r\n" is one character in Swift: compare bytes.
    String(decoding: text.utf8.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }
}
