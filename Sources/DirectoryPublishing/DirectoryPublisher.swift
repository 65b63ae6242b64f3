internal import CallDirectory
internal import Digests
internal import DirectorySources
public import PlanFile
internal import PositionedJSON
internal import ShardPlanning
internal import ShardWriting
internal import SystemSupport

/// Runs a plan: reads and sorts the sources, places every entry, and writes the shards of a release.
///
/// Memory is bounded by `PublishingOptions.memory` and a constant per provider, whatever the number of rows. One thread
/// calls; reading and writing use several.
public struct DirectoryPublisher {
  let plan: Plan
  let options: PublishingOptions
  private let folder: ReleaseFolder

  /// A publisher for a plan whose paths are resolved. Opens nothing yet.
  public init(_ plan: Plan, options: PublishingOptions = PublishingOptions()) {
    self.plan = plan
    self.options = options
    folder = ReleaseFolder(plan.paths.shards)
  }

  /// What the plan comes to, without writing anything but unnamed temporary files outside the release folder. Takes no
  /// lock. Reads the sources once and the sorted rows twice.
  ///
  /// Errors: `SourceError`, `PlanningError` with its place in the plan where it has one, `ReleaseError` for a folder of
  /// another plan, `JSONError` for a current manifest that cannot be read, `SystemError`.
  public func preview() throws -> PlanReport {
    let current = try currentRelease()
    let run = try run(base: current, temporaryFolder: Machine.temporaryFolder) { _ in
      .preview(ProviderOutput.Preview())
    }
    return report(run, current)
  }

  /// Prepares a release: writes its shards into the folder. The caller holds the folder's lock and publishes or discards
  /// the candidate.
  ///
  /// Errors as `preview`, and `GuardError` when a source differs from the base release by more than its guard allows and
  /// the options do not accept that; after one the folder's files are as they were. What cannot be removed then goes with the next
  /// `stage`.
  public func stage() throws -> (candidate: ReleaseCandidate, report: PlanReport) {
    let current = try currentRelease()
    // First of all: what a stopped writer left may be the room that is missing now.
    try folder.clearLeftovers()
    let staging = Path.join(folder.path, "\(ReleaseFolder.stagingPrefix)\(CurrentProcess.id)")
    try FileSystem.createDirectory(staging)
    // Not worth failing for, and found by the next one.
    defer { try? FileSystem.removeTree(staging) }
    let run = try run(base: current, temporaryFolder: staging) { provider in
      var writerOptions = ShardWriter.Options()
      writerOptions.dataSet = plan.name
      return .shard(try ShardWriter(Path.join(staging, provider.id.rawValue), options: writerOptions))
    }
    let report = report(run, current)
    // Before the first file of the release has its name.
    if !report.breaches.isEmpty, !options.acceptsChange { throw GuardError(breaches: report.breaches) }
    let manifest = try manifest(run, current)
    var newFiles: [String] = []
    do {
      for provider in manifest.providers {
        let target = folder.shardPath(provider.file)
        // A file of this name has this content; the release that brought it may still use it.
        if try FileSystem.status(target) == nil { newFiles.append(provider.file) }
        try FileSystem.rename(Path.join(staging, provider.id.rawValue), to: target)
      }
    } catch {
      for file in newFiles { try? FileSystem.remove(folder.shardPath(file)) }
      throw error
    }
    let candidate = ReleaseCandidate(manifest: manifest, current: current, folder: folder, newFiles: newFiles)
    return (candidate, report)
  }

  private func currentRelease() throws -> ReleaseManifest? {
    let current = try folder.current()
    if let current, current.planName != plan.name {
      throw ReleaseError(
        kind: .otherPlan, path: folder.path,
        what: "the folder holds releases of the plan \"\(current.planName)\", not of \"\(plan.name)\"",
        hint: "give each plan a \"shards\" folder of its own in \"paths\"")
    }
    return current
  }

  // MARK: The run

  /// What a walk over the rows came to.
  private struct Run {
    var reading: ReadingReport
    var files: [SourceFile]
    var placement: PlacementReport
    var accounts: ReleaseAccounts
    var moved: Int
    var ranges: [PlanReport.RangePrice]
    /// By provider in plan order; nil for providers with data of their own.
    var outputs: [ProviderOutput.Result?]
  }

  private func run(
    base: ReleaseManifest?, temporaryFolder: String, output: (PlanProvider) throws -> ProviderOutput
  ) throws -> Run {
    let rejects = try options.rejects.map { try RejectsFile($0, folder: temporaryFolder) }
    let unlabelled = try rejects.map { _ in try UnlabelledNumbers(folder: temporaryFolder) }
    let rows: SortedRows
    let pass: PlacementPass
    let numbers: Int
    let ranges: [PlanReport.RangePrice]
    do {
      rows = try read(temporaryFolder, rejects)
      (pass, numbers, ranges) = try place(rows, unlabelled)
      try rejects?.finish(unlabelled)
    } catch {
      // What was refused may be why the run fails.
      if let rejects, rejects.isComplete, !rejects.isFinished { try? rejects.finish(unlabelled) }
      throw error
    }
    let conflicts = try options.conflicts.map {
      try ConflictsFile($0, files: rows.files, providers: plan.providers.map(\.id))
    }
    let queue = OutputQueue(try plan.providers.map { $0.isPlanned ? try output($0) : nil })
    do {
      var run = try write(rows, pass, numbers, queue, base, conflicts)
      run.ranges = ranges
      try conflicts?.commit()
      return run
    } catch {
      queue.abort()
      throw error
    }
  }

  func read(_ temporaryFolder: String, _ observer: (any RowObserver)?) throws -> SortedRows {
    var reading = ReadingOptions(memory: options.memory, temporaryFolder: temporaryFolder)
    reading.observer = observer
    if let threads = options.threads { reading.threads = threads }
    if let progress = options.progress {
      reading.progress = { progress(.reading(bytes: $0.bytesRead, of: $0.bytesTotal, rows: $0.rows)) }
    }
    return try DirectoryReader(sources: plan.sources, options: reading).read()
  }

  func place(
    _ rows: SortedRows, _ unlabelled: UnlabelledNumbers?
  ) throws -> (PlacementPass, numbers: Int, [PlanReport.RangePrice]) {
    let rules = PlanningRules(
      providers: plan.providers.map(\.planned), sources: plan.sources.map(\.id),
      repeats: plan.sources.map(\.repeats), overlaps: plan.overlaps, unclaimed: plan.unclaimed)
    let planner = try PlacementPlanner(rules, areas: rows.areas)
    var numbers = 0
    var ranges = RangePrices(rows.report)
    try rows.forEachSegment { segment, group in
      ranges.add(group, count: Int(segment.upperBound.rawValue - segment.lowerBound.rawValue) + 1)
      var number = segment.lowerBound
      while true {
        let findings = planner.tally(number, group)
        if let unlabelled, findings.contains(.unlabelled) { try unlabelled.append(number) }
        numbers += 1
        if numbers & Self.progressMask == 0 { options.progress?(.planning(numbers: numbers)) }
        if number == segment.upperBound { break }
        number = PhoneNumber(number.rawValue + 1)
      }
    }
    try unlabelled?.finish()
    do throws(PlanningError) {
      return (try planner.allocate(), numbers, ranges.prices)
    } catch {
      throw located(error)
    }
  }

  private func write(
    _ rows: SortedRows, _ pass: PlacementPass, _ numbers: Int, _ queue: OutputQueue, _ base: ReleaseManifest?,
    _ conflicts: ConflictsFile?
  ) throws -> Run {
    // What changes with each number stands in locals: properties of objects would be checked for exclusive access.
    var movement = MovementCounter(base, in: folder, providers: plan.providers.map(\.id))
    var done = 0
    try rows.forEachNumber { number, group in
      movement.begin(number)
      let findings = try pass.place(number, group) { provider, entry in
        conflicts?.take(provider, entry)
        movement.take(provider, entry)
        try queue.append(provider, entry)
      }
      movement.end()
      try conflicts?.end(number, group, isConflict: findings.contains(.conflictingLabels))
      done += 1
      if done & Self.progressMask == 0 { options.progress?(.writing(numbers: done, of: numbers)) }
    }
    let placement = pass.report
    return Run(
      reading: rows.report, files: rows.files, placement: placement,
      accounts: try ReleaseAccounts(reading: rows.report, placement: placement.accounts), moved: movement.moved,
      ranges: [], outputs: try queue.finish())
  }

  static let progressMask = (1 << 16) - 1

  /// The error with its place in the plan's own text where it names one.
  private func located(_ error: PlanningError) -> PlanningError {
    guard case .claimMatchesNothing(let provider, let key, let value) = error.kind else { return error }
    var error = error
    let place = plan.error(provider: provider, key: key, naming: value, error.message)
    error.place = "\(place.file ?? "plan"):\(place.line):\(place.column)"
    error.keyPath = place.keyPath
    return error
  }

  // MARK: The results

  private func manifest(_ run: Run, _ current: ReleaseManifest?) throws -> ReleaseManifest {
    var providers: [ReleaseManifest.Provider] = []
    for (provider, output) in zip(plan.providers, run.outputs) {
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
    return ReleaseManifest(
      release: try folder.nextRelease(after: current), base: current?.release, planName: plan.name,
      planDigest: plan.bytes.withUnsafeBytes { SHA256.digest(of: $0) }, providers: providers,
      overlaps: run.placement.overlaps, accounts: run.accounts)
  }

  private func report(_ run: Run, _ current: ReleaseManifest?) -> PlanReport {
    let planned = zip(plan.providers, run.outputs).compactMap { provider, output in output.map { (provider.id, $0) } }
    let providers = planned.compactMap { id, output -> PlanReport.Provider? in
      guard let placement = run.placement.providers.first(where: { $0.id == id }) else { return nil }
      return PlanReport.Provider(
        placement: placement, bytes: output.bytes,
        needsReload: current?.provider(id)?.contentDigests != output.contentDigests)
    }
    let changes = SourceChange.all(run.accounts, base: current?.accounts ?? ReleaseAccounts(sources: []))
    return PlanReport(
      planName: plan.name, providers: providers, overlaps: run.placement.overlaps, accounts: run.accounts,
      base: current?.release, baseEntries: current.map { $0.providers.reduce(0) { $0 + $1.counts.total } },
      changes: current == nil ? [] : changes,
      breaches: changes.flatMap { change in breaches(change, release: current?.release) }, moved: run.moved,
      reading: run.reading, ranges: run.ranges, cuts: run.placement.cuts,
      unlabelled: run.placement.unlabelled.map { position in
        RowExample(
          file: run.files.indices.contains(position.file) ? run.files[position.file].path : "", line: position.line,
          column: nil, raw: "", reason: RowFinding.noLabel.text)
      },
      repeatedLabels: run.placement.repeatedLabels, conflictingLabels: run.placement.conflictingLabels)
  }

  private func breaches(_ change: SourceChange, release: Int?) -> [GuardBreach] {
    guard let limits = plan.guards[change.id] else { return [] }
    let place = plan.error(source: change.id, key: "guard", "")
    return GuardBreach.all(
      change, limits, release: release, place: "\(place.file ?? "plan"):\(place.line):\(place.column)")
  }
}
