internal import CallDirectory
internal import PositionedJSON
internal import ShardPlanning

/// A decoded provider and its place in the file, for the checks between providers.
struct DecodedProvider {
  var provider: PlanProvider
  let object: JSONObjectReader
  /// The elements of `spillsTo` that are valid ids.
  var spills: [(id: ProviderID, value: JSONValue)]
}

extension PlanDecoder {
  /// What the plan says for all providers.
  func decodeStandards() -> Standards {
    Standards(
      warnAt: decodeWarnAt(root["warnAt"]) ?? PlannedProvider.standardWarnAt,
      dropsLabelsOfBlocked: problems.read(try root["dropLabelsOfBlocked"]?.asBool()) ?? false)
  }

  /// The `providers` of `holder`, the plan or a layout, as far as they could be decoded.
  func decodeProviders(_ holder: JSONObjectReader, _ standards: Standards) -> [PlanProvider] {
    guard let list = problems.read(try holder.required("providers")), let elements = problems.read(try list.asArray())
    else { return [] }
    if elements.count == 0 { problems.add(list.mismatch("at least one provider")) }
    let sourceIDs = declaredIDs("sources")
    var providers: [DecodedProvider] = []
    for element in elements {
      if let provider = decodeProvider(element, standards, sourceIDs: sourceIDs) { providers.append(provider) }
    }
    // Ids are file names too, and some disks do not tell capitals apart.
    problems.refuseRepeats(
      elements.compactMap { element in element["id"].flatMap { id in id.string.map { ($0.lowercased(), id) } } }, "id")
    checkSpills(providers, declared: elements.compactMap { $0["id"]?.string })
    checkCopies(providers)
    checkFills(providers)
    checkNeeds(providers)
    return providers.map(\.provider)
  }

  /// What the plan says for all providers that do not say it themselves.
  struct Standards {
    var warnAt: Double
    var dropsLabelsOfBlocked: Bool
  }

  private func decodeProvider(_ value: JSONValue, _ standards: Standards, sourceIDs: [String]) -> DecodedProvider? {
    guard let object = problems.object(value, .provider) else { return nil }
    let id = id(problems.read(try object.required("id")))
    let claim = decodeClaim(object, sourceIDs: sourceIDs)
    let claims = PlanDecoder.claims(object)
    let excess = problems.read(try object["excess"]?.asCase(of: ExcessRule.self)) ?? .error
    let limit = decodeLimit(object["limit"])
    let count = decodeCount(object["count"])
    let (fillBy, fillMargin) = decodeFill(object)
    let warnAt = decodeWarnAt(object["warnAt"]) ?? standards.warnAt
    let dropsLabels = problems.read(try object["dropLabelsOfBlocked"]?.asBool()) ?? standards.dropsLabelsOfBlocked
    let limits = decodeProviderGuard(object["guard"])
    let spills = (problems.strings(object["spillsTo"], "provider") ?? []).compactMap { text, value in
      self.id(value).map { ($0, value) }
    }
    let title = problems.read(try object["title"]?.asText())
    let isEnabled = problems.read(try object["enabled"]?.asBool()) ?? true
    let library = problems.read(try object["library"]?.asText())
    let options = problems.read(try object["options"]?.asObject())?.value.verbatim ?? "{}"
    let container = self.id(object["container"])
    let mayBeEmpty = problems.read(try object["mayBeEmpty"]?.asBool()) ?? false
    let packs = decodePacks(object)
    if !claims { checkOwnData(object) }
    guard let id else { return nil }
    return DecodedProvider(
      provider: PlanProvider(
        planned: PlannedProvider(
          id: id, claim: claim, limit: limit, spillsTo: spills.map(\.0), excess: excess, mayBeEmpty: mayBeEmpty,
          dropsLabelsOfBlocked: dropsLabels, count: count, warnAt: warnAt, fillBy: fillBy, fillMargin: fillMargin,
          room: packs?.isLimitedBySets == true ? PlannedProvider.unlimitedRoom : nil),
        title: title ?? id.rawValue, isEnabled: isEnabled, library: library ?? PlanProvider.standardLibrary,
        options: options, container: (container ?? id).rawValue, limits: limits, packs: packs),
      object: object, spills: spills)
  }

  private func decodeLimit(_ value: JSONValue?) -> Int {
    guard let value else { return EntryLimit.maximum }
    guard let limit = value.integer, (1...EntryLimit.maximum).contains(limit) else {
      let tooMany = value.integer.map { $0 > EntryLimit.maximum } ?? false
      problems.add(
        value.mismatch(
          "a whole number from 1 to \(EntryLimit.maximum)",
          hint: tooMany ? "a phone refuses the list at its 2,000,000th entry" : nil))
      return EntryLimit.maximum
    }
    return limit
  }

  private func decodeCount(_ value: JSONValue?) -> CopyCount {
    guard let value else { return .single }
    if value.string == "auto" { return .auto }
    guard let count = value.integer, Plan.copies.contains(count) else {
      problems.add(
        value.mismatch("a whole number from \(Plan.copies.lowerBound) to \(Plan.copies.upperBound), or \"auto\""))
      return .single
    }
    return .fixed(count)
  }

  /// A share from which a provider is called nearly full.
  func decodeWarnAt(_ value: JSONValue?) -> Double? {
    guard let value else { return nil }
    guard let share = value.double, share > 0, share <= 1 else {
      let isPercentage = value.double.map { $0 > 1 && $0 <= 100 } ?? false
      problems.add(
        value.mismatch("a fraction above 0 up to 1", hint: isPercentage ? "0.9 stands for 90 %" : nil))
      return nil
    }
    return share
  }

  /// A provider without claims has data of its own: keys about the split have no effect, and the standard library,
  /// which streams a planned shard, would have nothing to stream.
  private func checkOwnData(_ object: JSONObjectReader) {
    for key in PlanKeys.split {
      guard let value = object[key] else { continue }
      problems.add(
        value.error(
          "expected no \"\(key)\" for a provider without claims, which has data of its own",
          hint: "add a claim (\(PlanKeys.claim.joined(separator: ", ")), anyOf or rest), or remove \"\(key)\""))
    }
    if object["library"] == nil {
      problems.add(
        object.value.error(
          "expected a claim or a \"library\" with data of its own, found neither",
          hint: "claims: \(PlanKeys.claim.joined(separator: ", ")), anyOf or rest"))
    }
  }

  // MARK: Between providers

  /// Spill targets must be there, take planned entries, and never lead back.
  private func checkSpills(_ providers: [DecodedProvider], declared: [String]) {
    var byID: [ProviderID: DecodedProvider] = [:]
    for provider in providers where byID[provider.provider.id] == nil { byID[provider.provider.id] = provider }
    for provider in providers {
      for (target, value) in provider.spills {
        if target == provider.provider.id {
          problems.add(value.error("expected another provider, found the provider itself"))
        } else if !declared.contains(target.rawValue) {
          problems.add(
            value.mismatch(
              "the id of a provider",
              hint: JSONValue.suggestion(for: target.rawValue, among: declared) ?? known(declared)))
        } else if let found = byID[target], !PlanDecoder.claims(found.object) {
          problems.add(
            value.mismatch(
              "a provider with claims",
              hint: "\"\(target)\" has data of its own; give it claims, such as those of \"\(provider.provider.id)\""))
        }
      }
    }
    if let cycle = firstSpillCycle(providers, byID) { problems.add(cycle) }
  }

  /// Depth first over the spill graph with an explicit stack; the error stands at the element that closes the cycle.
  private func firstSpillCycle(
    _ providers: [DecodedProvider], _ byID: [ProviderID: DecodedProvider]
  ) -> JSONError? {
    var done: Set<ProviderID> = []
    for start in providers where !done.contains(start.provider.id) {
      var path: [(id: ProviderID, next: Int)] = [(start.provider.id, 0)]
      while let (id, next) = path.last {
        guard let provider = byID[id], next < provider.spills.count else {
          done.insert(id)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let (target, value) = provider.spills[next]
        if target != id, let begin = path.firstIndex(where: { $0.id == target }) {
          let ring = (path[begin...].map(\.id.rawValue) + [target.rawValue]).joined(separator: " → ")
          return value.error("expected a chain that ends, found the cycle \(ring)")
        }
        if target != id, !done.contains(target) { path.append((target, 0)) }
      }
    }
    return nil
  }

  /// No other provider may have the id of a copy, and ids of copies are ids. Beside `auto`, any number of a copy may come.
  private func checkCopies(_ providers: [DecodedProvider]) {
    for provider in providers {
      let (id, count) = (provider.provider.id, provider.provider.planned.count)
      guard count != .single, let value = provider.object["count"] else { continue }
      let most = if case .fixed(let count) = count { count } else { Plan.copies.upperBound }
      guard CopyCount.id(id, copy: most) != nil else {
        problems.add(
          value.error(
            "the copies' ids would be longer than \(ProviderID.maximumLength) characters, as \"\(id)-\(most)\"",
            hint: "give the provider a shorter id"))
        continue
      }
      for other in providers {
        guard let otherID = ProviderID(other.provider.id.rawValue.lowercased()),
          let group = ProviderID(id.rawValue.lowercased()), let copy = Plan.copy(otherID, of: group), copy <= most,
          let place = other.object["id"]
        else { continue }
        problems.add(
          place.error(
            "expected another id, found that of a copy: provider \"\(id)\" has the copies "
              + "\"\(id)-1\", \"\(id)-2\" …",
            hint: "rename one of the two"))
      }
    }
  }

  /// At most one provider takes the rest, and what claims rows needs sources.
  private func checkNeeds(_ providers: [DecodedProvider]) {
    let rests = providers.compactMap { $0.object["rest"] }
    for second in rests.dropFirst() {
      problems.add(
        second.error("expected one provider with \"rest\", found a second (first at \(rests[0].position))"))
    }
    let hasSources = (root["sources"]?.elements.count ?? 0) > 0
    let hasList = root["sources"].map { $0.kind == .array } ?? true
    if !hasSources, hasList, let claimant = providers.first(where: { PlanDecoder.claims($0.object) }) {
      let place = root["sources"] ?? root.value
      problems.add(
        place.error("expected at least one source, found none: provider \"\(claimant.provider.id)\" claims rows"))
    }
  }

  func known(_ names: [String]) -> String { "known: \(names.joined(separator: ", "))" }

  /// Whether a provider states any claim, right or wrong.
  static func claims(_ object: JSONObjectReader) -> Bool {
    (PlanKeys.claim + ["anyOf", "rest"]).contains { object[$0] != nil }
  }
}
