internal import CallDirectory
internal import PhoneNumbering

extension PlacementState {
  /// What `place` is about to do with the number, and why. Nothing is used up.
  mutating func explanation(
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces, areas: [String]
  ) -> PlacementExplanation {
    let merged = MergedNumber(rows)
    return PlacementExplanation(
      number: number,
      families: [
        family(.blocking, merged.blocking, merged, number, rows, held.blocking, areas),
        family(.identification, merged.identification, merged, number, rows, held.identification, areas),
      ])
  }

  private mutating func family(
    _ family: EntryFamily, _ entry: MergedNumber.Family, _ merged: MergedNumber, _ number: PhoneNumber,
    _ rows: UnsafeBufferPointer<SourceRow>, _ held: PlaceSet, _ areas: [String]
  ) -> PlacementExplanation.Family {
    let own = rows.indices.filter { rows[$0].action.families.contains(family) }
    let cuts = rows.indices.filter {
      rows[$0].action == .remove || family == .blocking && rows[$0].action == .allow
    }
    let labelRow = family == .identification ? Self.labelRow(rows, nil, repeats) : nil
    var result = PlacementExplanation.Family(
      family: family, rows: own, cuts: cuts, labelRow: labelRow,
      labelRule: repeats.isEmpty ? .first : labelRow.map { repeats[rows[$0].source] } ?? .first,
      claimants: [], places: [], absence: nil)
    if own.isEmpty {
      result.absence = .notAsked
    } else if merged.isRemoved {
      result.absence = .removed
    } else if family == .blocking, merged.isAllowed {
      result.absence = .allowed
    } else if family == .identification, merged.labelRow == nil {
      result.absence = .noLabel
    }
    guard result.absence == nil else { return result }
    let entryClass = table.classes[
      classifier.classify(number, family, entry, rows, held, isBlocked: merged.isBlocked)]
    guard !entryClass.claimants.isEmpty else {
      result.absence = .unclaimed
      return result
    }
    result.claimants = entryClass.claimants.map { position in
      PlacementExplanation.Claimant(
        id: rules.providers[position].id, keys: keys(of: position, number, family, own.map { rows[$0] }, areas))
    }
    var taken: [Int: Int] = [:]
    for (index, copy) in entryClass.copies.enumerated() {
      let share = shares[copy.share]
      if share.threshold > 0, ScoreKey.of(number, rows) < share.threshold {
        result.drop = result.drop ?? drop(share, ScoreKey.of(number, rows))
        continue
      }
      let value = share.levels.isEmpty ? nil : ScoreKey.of(number, rows, family)
      guard let provider = share.next(value) else { continue }
      if provider == PlacementShare.heldAlready {
        result.places.append(
          PlacementExplanation.Place(
            provider: table.layout.providers[copy.home].id, reason: .heldByOther, labelRow: nil, contest: nil))
        continue
      }
      // Two copies may spill to one provider, which then holds the number once.
      guard taken.updateValue(index, forKey: provider) == nil else { continue }
      let wanted = rules.overlaps == .keep ? entryClass.claimants[index] : entryClass.claimants[0]
      let item = table.layout.providers[provider].item
      let reason: PlacementExplanation.Place.Reason =
        if let value, share.key.stay.map({ share.key.preferences[$0] }) != provider {
          share.level(value) == 0 ? .highScore : .lowScore
        } else if provider == copy.home, value == nil {
          .claimant
        } else if share.key.stay.map({ share.key.preferences[$0] }) == provider {
          .kept
        } else if item == wanted {
          .otherCopy
        } else {
          entryClass.claimants.contains(item) ? .laterClaimant : .spill
        }
      result.places.append(
        PlacementExplanation.Place(
          provider: table.layout.providers[provider].id, reason: reason,
          labelRow: family == .identification ? Self.labelRow(rows, copy.ownSources, repeats) : nil,
          contest: value.map { self.contest(share, $0) }))
    }
    if result.places.isEmpty { result.absence = entryClass.isDropped ? .ofBlocked : .dropped }
    return result
  }

  /// How an entry stands in the contest for the last place that it did not get, else for the one it got.
  private func contest(_ share: PlacementShare, _ value: UInt128) -> PlacementExplanation.Contest {
    let own = share.level(value)
    let place = own.map { max($0 - 1, 0) } ?? share.levels.count - 1
    let provider = share.key.preferences[place]
    // Where value decides only among entries with all places in common, others that got there say nothing of one that did not.
    let isAmongAlike = table.isSplit && own != place
    var least = UInt128.max
    var wasHeld = false
    for other in table.shares where other.count > 0 && other.key.family == share.key.family {
      if isAmongAlike, !other.key.isAlike(share.key) { continue }
      guard let place = other.levels.indices.first(where: { other.key.preferences[$0] == provider }) else { continue }
      least = min(least, other.levels[place])
      wasHeld = wasHeld || other.key.stay == place
    }
    let margin = rules.providers[table.layout.providers[provider].item].fillMargin
    return PlacementExplanation.Contest(
      provider: table.layout.providers[provider].id, score: ScoreKey.score(of: value), margin: wasHeld ? margin : nil,
      least: least == .max || least == 0 ? nil : ScoreKey.score(of: least), isAmongAlike: isAmongAlike)
  }

  /// How a label stands that is below what has a place.
  private func drop(_ share: PlacementShare, _ value: UInt128) -> PlacementExplanation.Drop {
    PlacementExplanation.Drop(
      score: ScoreKey.score(of: value), border: share.threshold == .max ? nil : ScoreKey.score(of: share.threshold))
  }

  /// The keys by which a provider claims an entry, with the values that hold.
  private func keys(
    of position: Int, _ number: PhoneNumber, _ family: EntryFamily, _ rows: [SourceRow], _ areas: [String]
  ) -> [String] {
    guard case .matching(let all, let anyOf) = rules.providers[position].claim else { return [] }
    let own = keys(of: all, number, family, rows, areas) ?? []
    for clause in anyOf {
      if let alternative = keys(of: clause, number, family, rows, areas) { return own + alternative }
    }
    return own
  }

  /// The keys of a clause with the values that hold; nil when one does not.
  private func keys(
    of clause: ClaimClause, _ number: PhoneNumber, _ family: EntryFamily, _ rows: [SourceRow], _ areas: [String]
  ) -> [String]? {
    var keys: [String] = []
    /// Whether the key is absent or has a value that holds.
    func holds(_ key: String, _ values: [String]?) -> Bool {
      guard let values else { return true }
      keys.append("\(key) \(values.map { "\"\($0)\"" }.joined(separator: ", "))")
      return !values.isEmpty
    }
    let found = Set(rows.map { $0.area == .none ? "" : areas[Int($0.area.rawValue)] }.filter { !$0.isEmpty })
    let contributing = Set(rows.map { rules.sources[$0.source] })
    let isHolding =
      holds("areas", clause.areas?.filter(found.contains))
      && holds(
        "prefixes",
        clause.prefixes?.filter { prefix in
          NumberClauses.ranges(ofPrefix: prefix).contains { $0.contains(number.rawValue) }
        }.map { "+\($0)" })
      && holds(
        "countries",
        clause.countries?.filter { region in
          NumberingPlan.ranges(of: region).contains { $0.contains(number.rawValue) }
        }.map(\.rawValue))
      && holds("sources", clause.sources?.filter(contributing.contains))
      && holds("actions", clause.actions?.filter { $0.families.contains(family) }.map(\.rawValue))
      && holds(
        "ranges", clause.ranges?.filter { $0.contains(number) }.map { "\($0.lowerBound)-\($0.upperBound)" })
    return isHolding ? keys : nil
  }
}

extension PlacementShare.Key {
  /// Whether entries of both may go to the same places, wherever they were.
  fileprivate func isAlike(_ other: PlacementShare.Key) -> Bool {
    var (own, other) = (self, other)
    own.stay = nil
    other.stay = nil
    return own == other
  }
}

extension PlacementShare {
  /// The provider that `take` would give; nil when all quotas are used up.
  fileprivate func next(_ value: UInt128?) -> Int? {
    if let value, let level = level(value) { return key.preferences[level] }
    if let stay = key.stay, quotas[stay] > 0 { return key.preferences[stay] }
    return quotas.indices.first { quotas[$0] > 0 }.map { key.preferences[$0] }
  }
}
