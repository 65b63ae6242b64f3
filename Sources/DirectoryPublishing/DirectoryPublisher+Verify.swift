internal import CallDirectory
internal import Digests
internal import DirectorySources
internal import PlanFile
internal import ShardPlanning
internal import SystemSupport

extension DirectoryPublisher {
  /// Proves what can be proven of a release of this plan: its files and figures, the plan's limits, that no entry is where it should not
  /// be, and, unless `releaseOnly`, that every number is in just those providers that the rules give it from the sources as they
  /// are. Says of what it could not check why not.
  ///
  /// Reads every shard several times, and the sources once; memory as for `preview`. Throws `SystemError` when the system fails, else
  /// whatever is wrong is part of the answer.
  public func verify(_ manifest: ReleaseManifest, releaseOnly: Bool = false) throws -> ReleaseProof {
    var proof = ReleaseProof()
    let damage = folder.verify(manifest)
    proof.add(
      "files", "every file is what the manifest says: digests, order, counts, limits; accounts add up", damage)
    let isOwnPlan = manifest.planDigest == plan.bytes.withUnsafeBytes { SHA256.digest(of: $0) }
    if isOwnPlan {
      proof.add("plan", "the providers and limits are the plan's", mismatches(manifest))
    } else {
      proof.add(
        "plan", .notChecked,
        "the plan has changed since the release was made from it: limits and rules are not compared")
    }
    if !damage.isEmpty {
      proof.add("order", .notChecked, "whether labels depend on the settings order: files are damaged")
      proof.add("rules", .notChecked, "whether every number is where the rules put it: files are damaged")
      return proof
    }
    checkOrder(manifest, isOwnPlan: isOwnPlan, &proof)
    if releaseOnly {
      proof.add("rules", .notChecked, "whether every number is where the rules put it: the sources were not to be read")
    } else if isOwnPlan {
      try checkRules(manifest, &proof)
    } else {
      proof.add("rules", .notChecked, "whether every number is where the rules put it: the plan has changed since")
    }
    return proof
  }

  private func wrong(_ manifest: ReleaseManifest, _ what: String) -> ReleaseError {
    ReleaseError(
      kind: .damaged, path: folder.manifestPath(manifest.release), what: what,
      hint: "build the release anew, or go back to an earlier one with rollback")
  }

  // MARK: Plan

  private func mismatches(_ manifest: ReleaseManifest) -> [ReleaseError] {
    let planned = plan.installedProviders { manifest.copies(of: $0) }.filter(\.isPlanned)
    var wrong: [ReleaseError] = []
    if planned.map(\.id) != manifest.providers.map(\.id) {
      let (own, found) = (planned.map(\.id.rawValue), manifest.providers.map(\.id.rawValue))
      wrong.append(
        self.wrong(
          manifest,
          "the release is for \(found.joined(separator: ", ")), the plan for \(own.joined(separator: ", "))"))
    }
    for provider in manifest.providers {
      guard let own = planned.first(where: { $0.id == provider.id }) else { continue }
      if provider.limit != own.planned.limit {
        wrong.append(
          self.wrong(
            manifest, "\(provider.id): the release has the limit \(provider.limit), the plan \(own.planned.limit)"))
      }
      if provider.limitedEntries > own.planned.limit {
        wrong.append(
          self.wrong(
            manifest, "\(provider.id) has \(provider.limitedEntries) entries, over the limit of \(own.planned.limit)"))
      }
    }
    return wrong
  }

  // MARK: Order

  /// Whether the settings order matters: not under `collapse`, where nothing is in two providers.
  private func checkOrder(_ manifest: ReleaseManifest, isOwnPlan: Bool, _ proof: inout ReleaseProof) {
    let walk = ReleaseWalk(manifest.providers.map { folder.shardPath($0.file) })
    var (rivals, twice) = (0, 0)
    var firstTwice: PhoneNumber?
    while true {
      let number = walk.least
      if number == .max { break }
      let last = walk.end(from: number, to: .max)
      let count = Int(last - number) + 1
      var (blocks, labels) = (0, 0)
      var first = -1
      var differs = false
      for place in walk.entries.indices where walk.entries[place].number == number {
        if walk.entries[place].isBlocked { blocks += 1 }
        guard !walk.entries[place].label.isEmpty else { continue }
        labels += 1
        if first < 0 { first = place } else { differs = differs || shown(walk, first) != shown(walk, place) }
      }
      if blocks > 1 || labels > 1 {
        twice += count
        firstTwice = firstTwice ?? PhoneNumber(number)
      }
      if differs {
        rivals += count
        if proof.rivalries.count < Self.rivalrySamples {
          let own = walk.entries.indices.filter {
            walk.entries[$0].number == number && !walk.entries[$0].label.isEmpty
          }
          proof.rivalries.append(
            ReleaseProof.Rivalry(
              number: PhoneNumber(number), labels: own.map { (manifest.providers[$0].id, shown(walk, $0)) }))
        }
      }
      for place in walk.entries.indices {
        while walk.entries[place].number == number { walk.pass(last, place) }
      }
    }
    if let problem = walk.problems.lazy.compactMap(\.self).first {
      proof.add("order", [wrong(manifest, problem)])
      return
    }
    proof.labelsByOrder = rivals
    let text = "\(rivals) labels depend on the settings order, 0 blocks"
    guard isOwnPlan, plan.overlaps == .collapse, twice > 0, let firstTwice else {
      return proof.add("order", .holds, rivals == 0 ? "no label and no block depends on the settings order" : text)
    }
    proof.add(
      "order",
      [
        wrong(
          manifest,
          "\(twice) numbers have a block or a label in two providers, for example \(firstTwice), and the plan collapses overlaps"
        )
      ])
  }

  private static let rivalrySamples = 5

  private func shown(_ walk: ReleaseWalk, _ place: Int) -> String {
    walk.entries[place].label.withUnsafeBytes { String(decoding: CallLabel.firstLine(of: $0), as: UTF8.self) }
  }

  // MARK: Rules

  /// Plans the sources again and compares.
  private func checkRules(_ manifest: ReleaseManifest, _ proof: inout ReleaseProof) throws {
    let what = "whether every number is where the rules put it"
    let made = try original(of: manifest)
    let excuse = reasonToDiffer(manifest, made)
    let (base, isExact) = try base(of: manifest, made)
    let box = ComparisonBox()
    var publisher = DirectoryPublisher(plan, options: options)
    publisher.observers = { [folder] providers in
      let comparison = ReleaseComparison(manifest, in: folder, providers: providers.map(\.id))
      box.comparison = comparison
      return [comparison]
    }
    let report: PlanReport
    do {
      report = try publisher.preview(over: base)
    } catch let error as SourceError where error.kind == .noInput {
      return proof.add("rules", .notChecked, "\(what): the plan's sources are not there: \(error.what)")
    } catch let error as SourceError {
      return fail("the sources cannot be read now: \(error.what)", excuse, manifest, &proof)
    } catch let error as PlanningError {
      return fail("the plan fails over its sources now: \(error.message)", excuse, manifest, &proof)
    }
    guard let comparison = box.comparison else { return }
    if let problem = comparison.finish().first { return proof.add("rules", [wrong(manifest, problem)]) }
    proof.differences = comparison.count
    if comparison.count > 0 {
      proof.differenceSamples = comparison.samples
      let numbers = comparison.count == 1 ? "1 number is" : "\(comparison.count) numbers are"
      return fail("\(numbers) elsewhere or different", excuse, manifest, &proof)
    }
    if let difference = difference(manifest, report) { return fail(difference, excuse, manifest, &proof) }
    proof.add(
      "rules", .holds,
      "every number is in just the providers that the rules give it, as the sources are"
        + (isExact ? "" : "; which of several places that it may have it had before was taken from the release itself"))
  }

  private final class ComparisonBox {
    var comparison: ReleaseComparison?
  }

  /// A difference from the sources is a fault of the release only where these are still what it was made from.
  private func fail(
    _ what: String, _ excuse: String?, _ manifest: ReleaseManifest, _ proof: inout ReleaseProof
  ) {
    if let excuse {
      return proof.add(
        "rules", .notChecked, "whether every number is where the rules put it: \(excuse); \(what)")
    }
    var problem = wrong(manifest, what)
    problem.hint = "build the release anew if a source has changed since; else \(problem.hint)"
    proof.add("rules", [problem])
  }

  /// What the figures of the manifest and of the run differ in, where every entry is the same.
  private func difference(_ manifest: ReleaseManifest, _ report: PlanReport) -> String? {
    if manifest.accounts != report.accounts {
      let source = zip(manifest.accounts.sources, report.accounts.sources).first { $0 != $1 }?.0.id
      return "the accounts\(source.map { " of the source \($0)" } ?? "") are not those of the sources"
    }
    if manifest.overlaps != report.overlaps { return "the overlaps are not those of the sources" }
    if let difference = splitDifference(manifest, report) { return difference }
    let groups = report.groups.map(\.copies)
    return manifest.groups.map(\.copies.copies) == groups ? nil : "the copies are not as many as the sources need"
  }

  /// The release whose content `manifest` has, since somebody went back to it; nil where that is not kept.
  private func original(of manifest: ReleaseManifest) throws -> ReleaseManifest? {
    var made = manifest
    while let restored = made.restores {
      guard try folder.releases().contains(restored) else { return nil }
      made = try folder.manifest(of: restored)
    }
    return made
  }

  /// The release that the entries of `made` kept their places of, where it is still there; else the release itself, in which
  /// entries stay that may stay.
  private func base(of manifest: ReleaseManifest, _ made: ReleaseManifest?) throws -> (base: Base, isExact: Bool) {
    let itself = Base(release: manifest, folder: folder, isKept: true)
    guard let made else { return (itself, false) }
    switch made.places {
    case .anew: return (Base(release: nil, folder: folder, isKept: false), true)
    case .elsewhere: return (itself, false)
    case .base:
      guard let base = made.base else { return (Base(release: nil, folder: folder, isKept: true), true) }
      guard try folder.releases().contains(base) else { return (itself, false) }
      let release = try folder.manifest(of: base)
      guard folder.verify(release).isEmpty else { return (itself, false) }
      return (Base(release: release, folder: folder, isKept: true), true)
    }
  }

  /// Why the sources may differ from those that the release was made from: one that changed after it was recorded, or that it is
  /// not known when that was. Nil where neither holds.
  private func reasonToDiffer(_ manifest: ReleaseManifest, _ made: ReleaseManifest?) -> String? {
    guard let made, let recorded = try? FileSystem.status(folder.manifestPath(made.release))?.modified else {
      return "release \(manifest.restores ?? manifest.release), from which the content came back, is no longer kept, "
        + "and sources may have changed since"
    }
    let name = made.release == manifest.release ? "the release" : "release \(made.release), whose content this is"
    for source in plan.sources {
      let files = source.files.flatMap { entry in
        Glob.isPattern(entry) ? (try? Glob.paths(matching: entry)) ?? [] : [entry]
      }
      for file in files + (source.areaMap.map { [$0] } ?? []) {
        if let status = try? FileSystem.status(file), status.modified > recorded {
          return "\(file) is newer than \(name)"
        }
      }
    }
    return nil
  }
}
