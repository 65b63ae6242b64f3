internal import CallDirectory
internal import Digests
internal import DirectorySources
internal import PlanFile
internal import PositionedJSON
internal import ShardPlanning
internal import ShardWriting

/// What a run comes to, for the manifest and for people.
extension DirectoryPublisher {
  func manifest(_ run: Run, _ current: ReleaseManifest?) throws -> ReleaseManifest {
    var providers: [ReleaseManifest.Provider] = []
    for (provider, output) in zip(run.providers, run.outputs) {
      if let packs = output?.packs, let digests = packs.digests {
        providers.append(ReleaseManifest.Provider(provider, packs, digests))
      }
      guard let summary = output?.summary else { continue }
      let numbers: ClosedRange<PhoneNumber>? =
        if let first = summary.firstNumber, let last = summary.lastNumber { first...last } else { nil }
      providers.append(
        ReleaseManifest.Provider(
          id: provider.id, title: provider.title,
          file: ReleaseFolder.shardName(provider.id, summary.fileDigest), sha256: summary.fileDigest,
          bytes: summary.byteCount, counts: summary.counts, limit: provider.planned.limit,
          numbers: numbers, contentDigests: summary.contentDigests))
    }
    var manifest = ReleaseManifest(
      release: try folder.nextRelease(after: current), base: current?.release, places: places, planName: plan.name,
      planDigest: plan.bytes.withUnsafeBytes { SHA256.digest(of: $0) }, providers: providers,
      groups: run.groups, overlaps: run.placement.overlaps, accounts: run.accounts)
    for layout in run.layouts {
      manifest.add(ReleaseManifest.Layout(try layout.publisher.manifest(layout.run, current), name: layout.name))
    }
    return manifest
  }

  private var places: ReleaseManifest.Places {
    switch options.base {
    case .current: .base
    case .fresh: .anew
    case .folder: .elsewhere
    }
  }

  func report(_ run: Run, _ base: Base) -> PlanReport {
    let current = base.release
    let planned = zip(run.providers, run.outputs).compactMap { provider, output in output.map { (provider, $0) } }
    let providers = planned.compactMap { provider, output -> PlanReport.Provider? in
      guard let placement = run.placement.providers.first(where: { $0.id == provider.id }) else { return nil }
      return PlanReport.Provider(
        placement: placement, bytes: output.bytes,
        needsReload: needsReload(output, current?.provider(provider.id)),
        warnAt: provider.planned.warnAt, groupFill: groupFill(provider, run), packs: output.packs?.index)
    }
    let changes = SourceChange.all(run.accounts, base: current?.accounts ?? ReleaseAccounts(sources: []))
    return PlanReport(
      planName: plan.name, providers: providers, overlaps: run.placement.overlaps, accounts: run.accounts,
      base: current?.release, baseEntries: current.map { $0.providers.reduce(0) { $0 + $1.counts.total } },
      changes: current == nil ? [] : changes,
      breaches: breaches(changes, run.placement, current) + layoutBreaches(run),
      moved: run.moved, phoneCost: phoneCost(run, providers, current), baseProblems: run.baseProblems,
      groups: run.groups.map { group in
        PlanReport.Group(
          id: group.id, copies: group.copies.copies,
          isPinned: plan.providers.first { $0.id == group.id }?.planned.count != .auto)
      },
      dropped: run.placement.dropped,
      droppedExamples: run.placement.droppedSamples.map { dropped in
        PlanReport.DroppedLabel(
          file: path(dropped.position, run.files), line: dropped.position.line, number: dropped.number,
          score: dropped.score)
      },
      labelsOfBlocked: run.placement.labelsOfBlocked,
      reading: run.reading, ranges: run.ranges, cuts: run.placement.cuts,
      unlabelled: run.placement.unlabelled.map { position in
        RowExample(
          file: path(position, run.files), line: position.line,
          column: nil, raw: "", reason: RowFinding.noLabel.text)
      },
      repeatedLabels: run.placement.repeatedLabels, conflictingLabels: run.placement.conflictingLabels,
      startingOff: run.startingOff, layouts: layoutReports(run))
  }

  /// What phones pay for a run that comes to `providers`.
  private func phoneCost(
    _ run: Run, _ providers: [PlanReport.Provider], _ current: ReleaseManifest?
  ) -> PhoneCost {
    let gone = (current?.providers ?? []).filter { old in !providers.contains { $0.placement.id == old.id } }
    return PhoneCost(
      providers: providers.map { provider in
        let index = run.providers.firstIndex { $0.id == provider.placement.id }
        return PhoneCost.Provider(
          provider.placement.id, entries: provider.limitedEntries, bytes: provider.bytes,
          changes: index.flatMap { run.changes[$0] }, hasBase: current != nil,
          before: current?.provider(provider.placement.id)?.totalBytes, isChanged: provider.needsReload)
      }, goneBytes: gone.reduce(0) { $0 + $1.totalBytes }, hasBase: current != nil)
  }

  /// Of copies that are filled one after the other: how full they are together, since all but the last are full by design.
  private func groupFill(_ provider: PlanProvider, _ run: Run) -> Double? {
    guard provider.planned.fillBy == .score,
      let group = run.groups.first(where: { Plan.copy(provider.id, of: $0.id) != nil })
    else { return nil }
    let copies = run.placement.providers.filter { Plan.copy($0.id, of: group.id) != nil }
    let limit = copies.reduce(0) { $0 + $1.limit }
    return limit > 0 ? Double(copies.reduce(0) { $0 + $1.counts.total }) / Double(limit) : nil
  }

  /// The limits that a run with the given changes of sources exceeds, of sources and of providers.
  func breaches(_ changes: [SourceChange], _ placement: PlacementReport, _ current: ReleaseManifest?) -> [GuardBreach] {
    changes.flatMap { breaches($0, release: current?.release) } + breaches(placement, current)
  }

  private func breaches(_ change: SourceChange, release: Int?) -> [GuardBreach] {
    guard let limits = plan.guards[change.id] else { return [] }
    let place = plan.error(source: change.id, key: "guard", "")
    return GuardBreach.all(
      change, limits, release: release, place: "\(place.file ?? "plan"):\(place.line):\(place.column)")
  }

  /// The limits of providers' guards that a run exceeds. An entry of the plan that is new has no past to differ from.
  func breaches(_ placement: PlacementReport, _ current: ReleaseManifest?) -> [GuardBreach] {
    guard let current else { return [] }
    return plan.providers.flatMap { provider -> [GuardBreach] in
      guard let limits = provider.limits else { return [] }
      // Copies of an entry that has none any more, or had none before, are it, too.
      let hadCopies = current.copies(of: provider.id) != nil
      let before = current.providers.filter {
        $0.id == provider.id || belongs($0.id, to: provider)
          || hadCopies && Plan.copy($0.id, of: provider.id) != nil
      }
      guard !before.isEmpty else { return [] }
      let now = placement.providers.filter { $0.id == provider.id || belongs($0.id, to: provider) }
      let place = plan.error(provider: provider.id, key: "guard", "")
      return GuardBreach.all(
        provider.id, count: now.reduce(0) { $0 + $1.counts.total }, before: before.reduce(0) { $0 + $1.counts.total },
        limits, release: current.release, place: "\(place.file ?? "plan"):\(place.line):\(place.column)")
    }
  }

  /// Whether an id is one of a copy of `provider`, however many there are now.
  private func belongs(_ id: ProviderID, to provider: PlanProvider) -> Bool {
    guard provider.planned.count != .single else { return false }
    return Plan.copy(id, of: provider.id) != nil
  }

  private func path(_ position: PlacementReport.RowPosition, _ files: [SourceFile]) -> String {
    files.indices.contains(position.file) ? files[position.file].path : ""
  }
}
