public import CallDirectory

extension CallResolver {
  /// The decision for a caller without its trace: the same `kind`, `blockedBy`, `label` and `labelFrom` as `resolve`,
  /// without allocating memory.
  ///
  /// `body` is called once with the decision and the bytes of the label's first line, or nil when there is none. The
  /// bytes are borrowed until it returns. O(providers × candidates) finds at most: blocks end at the first blocker,
  /// labels at the first label.
  public func resolveBriefly<Result>(
    blocking: UnsafeBufferPointer<PhoneNumber>, identification: UnsafeBufferPointer<PhoneNumber>,
    _ body: (BriefDecision, UnsafeRawBufferPointer?) -> Result
  ) -> Result {
    let contact = contacts.flatMap { contacts in
      Self.first(identification, in: contacts, .identified) ?? Self.first(blocking, in: contacts, .identified)
    }
    let wantsBlock = contact == nil || !contactRule.contactsOverrideBlocks
    let wantsLabel = contact == nil
    var blocker: Int?
    var labelled: (provider: Int, number: PhoneNumber)?
    for heard in heard {
      let (index, directory) = (heard.index, heard.directory)
      let needsBlock = wantsBlock && blocker == nil
      let needsLabel = wantsLabel && labelled == nil
      if !needsBlock && !needsLabel { break }
      // Candidates of both families are mostly the same numbers: one find answers for both.
      if needsLabel {
        for number in identification {
          let match = directory.find(number)
          if match.contains(.identified), labelled == nil { labelled = (index, number) }
          if needsBlock, match.contains(.blocked), blocking.contains(number) { blocker = index }
          if labelled != nil, blocker != nil || !needsBlock { break }
        }
      }
      if needsBlock, blocker == nil {
        // The loop above has asked about all it had, as it ends early only with a blocker.
        for number in blocking where !needsLabel || !identification.contains(number) {
          if directory.find(number).contains(.blocked) {
            blocker = index
            break
          }
        }
      }
    }
    let kind: CallDecision.Kind =
      if blocker != nil { .blocked } else if contact != nil { .contact } else if labelled != nil { .identified } else {
        .unknown
      }
    let decision = BriefDecision(kind: kind, blocker: blocker, labeller: labelled?.provider)
    if let contact, let contacts { return Self.withLabel(of: contact, in: contacts, decision, body) }
    if let labelled, let directory = providers[labelled.provider].directory {
      return Self.withLabel(of: labelled.number, in: directory, decision, body)
    }
    return body(decision, nil)
  }

  /// The decision for a caller whose candidates stand in arrays; see the other form.
  public func resolveBriefly<Result>(
    _ candidates: LookupCandidates, _ body: (BriefDecision, UnsafeRawBufferPointer?) -> Result
  ) -> Result {
    candidates.blocking.withUnsafeBufferPointer { blocking in
      candidates.identification.withUnsafeBufferPointer { identification in
        resolveBriefly(blocking: blocking, identification: identification, body)
      }
    }
  }

  private static func first(
    _ candidates: UnsafeBufferPointer<PhoneNumber>, in directory: any DirectoryReading, _ family: DirectoryMatch
  ) -> PhoneNumber? {
    for number in candidates where directory.find(number).contains(family) { return number }
    return nil
  }

  /// Calls `body` once: with the first label, or with nil when the directory gives none after all.
  private static func withLabel<Result>(
    of number: PhoneNumber, in directory: any DirectoryReading, _ decision: BriefDecision,
    _ body: (BriefDecision, UnsafeRawBufferPointer?) -> Result
  ) -> Result {
    var result: Result?
    directory.forEachLabel(of: number) { bytes in
      if result == nil { result = body(decision, CallLabel.firstLine(of: bytes)) }
    }
    return result ?? body(decision, nil)
  }
}
