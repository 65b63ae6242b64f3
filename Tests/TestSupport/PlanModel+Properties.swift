package import CallDirectory
internal import ShardPlanning

/// What holds of every plan over any rows. Each check gives a sentence for everything that does not, so none is good.
extension PlanModel {
  /// The entry of the plan behind a provider.
  package func item(of id: ProviderID) -> ProviderID {
    rules.providers.first { $0.id == id || $0.count != .single && id.rawValue.hasPrefix("\($0.id)-") }?.id ?? id
  }

  /// Limits, and that each entry has a place that a claim or a spill gives it, under the right label, and nothing else has one.
  package func violations(of planned: PlannedEntries) -> [String] {
    var violations: [String] = []
    var entries = 0
    for id in planned.providers {
      let placed = planned.placed[id] ?? PlacedEntries()
      if placed.entries > provider(item(of: id)).limit { violations.append("\(id) has \(placed.entries) entries") }
      if placed.blocked != Set(placed.blocked).sorted() { violations.append("the blocks of \(id) do not ascend") }
      entries += placed.entries
    }
    var held = 0
    for entry in self.entries {
      let holders = planned.holders(entry.number, entry.family)
      held += holders.count
      let found = self.violations(
        entry, holders.map { (item(of: $0), planned.placed[$0]?.labels[entry.number] ?? "") })
      violations += found.map { "\(entry.number) \(entry.family), held by \(holders): \($0)" }
    }
    if held != entries { violations.append("\(entries) entries are placed, \(held) of them by the rows") }
    return violations
  }

  /// The holders of one entry as entries of the plan, with the label that each gives.
  private func violations(_ entry: Entry, _ holders: [(item: ProviderID, label: String)]) -> [String] {
    var violations: [String] = []
    let wishes = self.wishes(entry)
    if holders.count > wishes.count { violations.append("more copies than claimants") }
    let places = wishes.map { (claimant: $0, places: self.places(entry, of: $0)) }
    for holder in holders {
      let askers = places.filter { $0.places.contains(holder.item) }
      if askers.isEmpty { violations.append("where nobody wants it") }
      guard entry.family == .identification, !askers.isEmpty else { continue }
      let labels = labels(entry, of: holder.item)
      if !labels.contains(holder.label) { violations.append("the label is \(holder.label), not of \(labels)") }
    }
    if holders.isEmpty, wishes.contains(where: { !mayBeDropped(entry, $0) }) { violations.append("it is lost") }
    for (claimant, places) in places where !mayBeDropped(entry, claimant) {
      // What a claimant leaves to another claimant that it spills to, that one answers for.
      let isLeft = rules.overlaps == .keep && places.dropFirst().contains { answers($0, for: claimant, entry) }
      if !isLeft, !holders.contains(where: { places.contains($0.item) }) {
        violations.append("the copy of \(claimant) is lost")
      }
    }
    return violations
  }

  /// The labels that a provider may have: the one that it asks for itself; where it does not, or may have dropped that, those
  /// that others spill to it.
  private func labels(_ entry: Entry, of item: ProviderID) -> [String] {
    let askers = wishes(entry).filter { places(entry, of: $0).contains(item) }
    let isSure = askers.contains { $0 == item && !mayBeDropped(entry, $0) }
    return (isSure ? [item] : askers).map { ownLabel(entry, $0) }
  }

  // MARK: Decisions

  /// The first settings order, on/off subset and number for which a phone decides otherwise over what was planned than the rules do over
  /// the rows, of which each provider has those that it was given; nil when there is none. n! · 2ⁿ phones for n providers.
  package func misdecision(of planned: PlannedEntries, numbers: [Int64]) -> String? {
    let shards = phone(of: planned)
    let truth = numbers.map { (number: $0, truth: self.truth(of: $0, planned)) }
      .filter { !$0.truth.blockers.isEmpty || !$0.truth.labels.isEmpty }
    for order in planned.providers.permutations {
      let ordered = shards.ordered(order)
      for on in planned.providers.subsets {
        let phone = ordered.switchedOn(Set(on))
        let seen = order.filter(on.contains)
        for (number, truth) in truth {
          let namer = seen.first { truth.labels[$0] != nil }
          let label = namer.flatMap { truth.labels[$0] }
          let blocker = seen.first(where: truth.blockers.contains)
          let found = phone.decide(PhoneNumber(number))
          if found.blockedBy != blocker || found.labelFrom != namer || found.label != label {
            return
              "order \(order), on \(on), \(number): \(found), by the rows blocked by \(blocker as Any), \(label as Any)"
          }
        }
      }
    }
    return numbers.lazy.compactMap { misdecision(shards, $0) }.first
  }

  /// With all providers on, nothing depends on the split: a number is blocked if its rows block it, and under `collapse`
  /// it shows the label of its rows whatever the order.
  private func misdecision(_ phone: ReferencePhone, _ number: Int64) -> String? {
    let found = phone.decide(PhoneNumber(number))
    let block = entries.first { $0.number == number && $0.family == .blocking && !$0.claiming.isEmpty }
    if (found.blockedBy != nil) != (block != nil) { return "\(number) with all on: \(found)" }
    let label = entries.first { $0.number == number && $0.family == .identification && !$0.claimants.isEmpty }
    guard rules.overlaps == .collapse, let label else { return nil }
    let isRight = found.label.map { $0 == label.label } ?? mayBeDropped(label, label.claimants[0])
    return isRight ? nil : "\(number) with all on shows \(found.label as Any), not \(label.label)"
  }

  private func phone(of planned: PlannedEntries) -> ReferencePhone {
    ReferencePhone(
      planned.providers.map { id in
        let placed = planned.placed[id] ?? PlacedEntries()
        return ReferencePhone.Provider(
          id, blocked: Set(placed.blocked.map { PhoneNumber($0) }),
          labels: Dictionary(uniqueKeysWithValues: placed.labels.map { (PhoneNumber($0.key), [$0.value]) }))
      })
  }

  /// Who has the block of a number and who which label of it, by the words of the rules.
  private func truth(
    of number: Int64, _ planned: PlannedEntries
  ) -> (blockers: [ProviderID], labels: [ProviderID: String]) {
    var truth: (blockers: [ProviderID], labels: [ProviderID: String]) = ([], [:])
    for entry in entries where entry.number == number {
      let holders = planned.holders(number, entry.family)
      guard entry.family == .identification else {
        truth.blockers = holders
        continue
      }
      for holder in holders {
        let labels = labels(entry, of: item(of: holder))
        let found = planned.placed[holder]?.labels[number]
        truth.labels[holder] = labels.first { $0 == found } ?? labels.first ?? entry.label
      }
    }
    return truth
  }
}
