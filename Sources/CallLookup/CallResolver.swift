public import CallDirectory

/// Decides what a phone does with a caller, over the directories its providers have stored.
///
/// A value: what-if questions are answered by a changed copy (`reordered`, `without`). Any thread may use it.
public struct CallResolver: Sendable {
  /// The providers in settings order, first wins a label.
  public let providers: [InstalledProvider]
  /// The phone's contacts: a number of its identification family is a contact, the label its name.
  public let contacts: (any DirectoryReading)?
  /// Whether contacts are exempt from blocks.
  public let contactRule: ContactRule

  /// A provider that is heard. A struct and no tuple: copying a tuple of an existential asks the runtime for its layout.
  struct Heard: Sendable {
    /// Its index in `providers`.
    let index: Int
    let directory: any DirectoryReading
  }

  /// The providers that are heard, in settings order.
  let heard: [Heard]

  /// A resolver over `providers`, given in settings order.
  public init(
    providers: [InstalledProvider], contacts: (any DirectoryReading)? = nil,
    contactRule: ContactRule = ContactRule(profile: PhoneProfile(.ios18))
  ) {
    self.providers = providers
    self.contacts = contacts
    self.contactRule = contactRule
    heard = providers.indices.compactMap { index in
      guard providers[index].isOn, let directory = providers[index].directory else { return nil }
      return Heard(index: index, directory: directory)
    }
  }

  /// What if the settings listed `first` in this order, and the others after them as they are? Nil when `first` repeats
  /// an id or names one that is not here.
  public func reordered(first: [ProviderID]) -> CallResolver? {
    guard let order = SettingsOrder(providers.map(\.id))?.reordered(first: first) else { return nil }
    let sorted = order.ids.compactMap { id in providers.first { $0.id == id } }
    return CallResolver(providers: sorted, contacts: contacts, contactRule: contactRule)
  }

  /// What if the providers `ids` were switched off? Nil when one of them is not here.
  public func without(_ ids: [ProviderID]) -> CallResolver? {
    var changed = providers
    for id in ids {
      guard let index = changed.firstIndex(where: { $0.id == id }) else { return nil }
      if changed[index].state == .on {
        changed[index].state = changed[index].directory == nil ? .offEmpty : .offWithData
      }
    }
    return CallResolver(providers: changed, contacts: contacts, contactRule: contactRule)
  }

  /// The decision for a caller with a row for every provider. O(providers × candidates) finds.
  public func resolve(_ candidates: LookupCandidates) -> CallDecision {
    let contactName = contactName(of: candidates)
    let isContact = contactName != nil
    var trace = providers.indices.map { index in
      findings(of: providers[index], position: index + 1, candidates)
    }

    let blocker = trace.first { $0.blocks && $0.state == .on }?.id
    let isExempt = isContact && contactRule.contactsOverrideBlocks
    let blockedBy = isExempt ? nil : blocker
    let labeller = isContact ? nil : trace.first { $0.labelOutcome != nil && $0.state == .on }
    for index in trace.indices where trace[index].state == .on {
      if trace[index].blocks {
        trace[index].blockOutcome =
          if let blockedBy { trace[index].id == blockedBy ? .decides : .blocksToo(first: blockedBy) } else {
            .contactExempt
          }
      }
      if trace[index].labelOutcome != nil {
        trace[index].labelOutcome =
          if isContact {
            .shadowedByContact
          } else if let labeller, labeller.id != trace[index].id {
            .shadowed(by: labeller.id)
          } else {
            blockedBy == nil ? .shown : .shownIfNotBlocked
          }
      }
    }
    let kind: CallDecision.Kind =
      if blockedBy != nil { .blocked } else if isContact { .contact } else if labeller != nil { .identified } else {
        .unknown
      }
    return CallDecision(
      kind: kind, blockedBy: blockedBy, label: contactName ?? labeller?.labels.first.map(Self.firstLine),
      labelFrom: labeller?.id, isContact: isContact, contactRule: isContact && blocker != nil ? contactRule : nil,
      providers: trace)
  }

  /// What one provider has on the caller, whether it is heard or not. Outcomes are `notHeard` where it has something.
  private func findings(
    of provider: InstalledProvider, position: Int, _ candidates: LookupCandidates
  ) -> ProviderTrace {
    var row = ProviderTrace(
      id: provider.id, title: provider.title, position: position, state: provider.state, blocks: false, labels: [])
    guard let directory = provider.directory else { return row }
    // A hit on any candidate counts, and nothing but an equal integer is a hit (R-MAT-4).
    row.blocks = candidates.blocking.contains { directory.find($0).contains(.blocked) }
    if row.blocks { row.blockOutcome = .notHeard }
    for number in candidates.identification where directory.find(number).contains(.identified) {
      directory.forEachLabel(of: number) { row.labels.append(String(decoding: $0, as: UTF8.self)) }
      row.labelOutcome = .notHeard
    }
    return row
  }

  /// The first line of the caller's name in the contacts, or nil when the caller is no contact.
  private func contactName(of candidates: LookupCandidates) -> String? {
    guard let contacts else { return nil }
    for number in candidates.identification + candidates.blocking where contacts.find(number).contains(.identified) {
      var name: String?
      contacts.forEachLabel(of: number) { bytes in
        if name == nil { name = String(decoding: CallLabel.firstLine(of: bytes), as: UTF8.self) }
      }
      return name ?? ""
    }
    return nil
  }

  private static func firstLine(_ label: String) -> String {
    var label = label
    return label.withUTF8 { String(decoding: CallLabel.firstLine(of: UnsafeRawBufferPointer($0)), as: UTF8.self) }
  }
}
