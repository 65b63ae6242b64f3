internal import CallDirectory
internal import Digests
internal import DirectorySources
public import PlanFile
internal import PositionedJSON
internal import ShardFormat
internal import ShardPlanning
internal import ShardWriting
internal import SystemSupport

/// Runs a plan: reads and sorts the sources, places every entry, and writes the shards of a release.
///
/// Memory is bounded by `PublishingOptions.memory` and a constant per provider, whatever the number of rows. One thread
/// calls; reading and writing use several.
public struct DirectoryPublisher {
  let plan: Plan
  var options: PublishingOptions
  let folder: ReleaseFolder
  /// Who looks on while entries are placed with these providers, beside the outputs.
  var observers: ([PlanProvider]) throws -> [any PlacementObserver] = { _ in [] }

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
    if let change = options.settings { return try preview(with: change) }
    try checkLists()
    return try preview(over: base(currentRelease()))
  }

  /// `preview` against a base that is known.
  func preview(over base: Base) throws -> PlanReport {
    let hasLayouts = !plan.layouts.isEmpty
    let run = try run(base: base, temporaryFolder: Machine.temporaryFolder) { provider, _ in
      .preview(
        ProviderOutput.Preview(
          isBalanced: plan.profile == .balanced,
          takesDigests: hasLayouts || base.release?.provider(provider.id) != nil))
    }
    return report(run, base)
  }

  /// Prepares a release: writes its shards into the folder. The caller holds the folder's lock and publishes or discards
  /// the candidate.
  ///
  /// Errors as `preview`, and `GuardError` when a source differs from the base release by more than its guard allows and
  /// the options do not accept that, `ManifestDefect`; after one the folder's files are as they were. What cannot be removed then goes with the next
  /// `stage`.
  public func stage() throws -> (candidate: ReleaseCandidate, report: PlanReport) {
    try checkLists()
    let current = try currentRelease()
    let base = try base(current)
    // First of all: what a stopped writer left may be the room that is missing now.
    try folder.clearLeftovers()
    let staging = Path.join(folder.path, "\(ReleaseFolder.stagingPrefix)\(CurrentProcess.id)")
    try FileSystem.createDirectory(staging)
    // Not worth failing for, and found by the next one.
    defer { try? FileSystem.removeTree(staging) }
    // All shards of the release: what is learnt from their labels stands in each of them.
    let sample = LabelSample()
    let run = try run(base: base, temporaryFolder: staging, staging: staging) { provider, folder in
      var writerOptions = ShardWriter.Options()
      writerOptions.profile = plan.profile == .balanced ? .balanced : .plain
      writerOptions.dataSet = plan.name
      let path = Path.join(folder, provider.id.rawValue)
      return .shard(try ShardWriter(path, options: writerOptions, sample: sample))
    }
    let report = report(run, base)
    // Before the first file of the release has its name.
    if !report.breaches.isEmpty, !options.acceptsChange { throw GuardError(breaches: report.breaches) }
    let manifest = try manifest(run, current)
    _ = try manifest.verifiedBytes()
    var newFiles: [String] = []
    do {
      for (staged, file) in try stagedFiles(manifest, staging) {
        let target = folder.shardPath(file)
        // A file of this name has this content; the release that brought it may still use it.
        if try FileSystem.status(target) == nil { newFiles.append(file) }
        try FileSystem.rename(staged, to: target)
      }
    } catch {
      for file in newFiles { try? FileSystem.remove(folder.shardPath(file)) }
      throw error
    }
    let candidate = ReleaseCandidate(manifest: manifest, current: current, folder: folder, newFiles: newFiles)
    return (candidate, report)
  }

  func currentRelease() throws -> ReleaseManifest? { try currentRelease(of: folder) }

  /// What a run is compared with, and whether entries keep their places in it.
  struct Base {
    var release: ReleaseManifest?
    var folder: ReleaseFolder
    var isKept: Bool
    /// The release with all its layouts.
    var whole: ReleaseManifest?

    /// What the split for a layout is compared with, or the one for the plan's own providers.
    func view(of layout: String?) -> Base {
      let whole = whole ?? release
      return Base(release: whole?.view(of: layout), folder: folder, isKept: isKept, whole: whole)
    }
  }

  func base(_ current: ReleaseManifest?) throws -> Base {
    switch options.base {
    case .current: return Base(release: current, folder: folder, isKept: true).view(of: plan.layout)
    case .fresh: return Base(release: current, folder: folder, isKept: false).view(of: plan.layout)
    case .folder(let path):
      let other = ReleaseFolder(path)
      guard let release = try currentRelease(of: other) else {
        throw ReleaseError(
          kind: .missing, path: path, what: "there is no release in this folder to be the base",
          hint: "name a folder with a manifest.json, or leave the base out")
      }
      return Base(release: release, folder: other, isKept: true).view(of: plan.layout)
    }
  }

  private func currentRelease(of folder: ReleaseFolder) throws -> ReleaseManifest? {
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

  /// What the walks over the rows came to.
  struct Run {
    var reading: ReadingReport
    var files: [SourceFile]
    var placement: PlacementReport
    var accounts: ReleaseAccounts
    var moved: Int
    /// By provider: how it differs from the base release.
    var changes: [EntryChanges?]
    var ranges: [PlanReport.RangePrice]
    var baseProblems: [String]
    /// The providers that a phone sees, in plan order, each entry with its copies.
    var providers: [PlanProvider]
    var groups: [ReleaseManifest.Group]
    /// By provider; nil for those with data of their own.
    var outputs: [ProviderOutput.Result?]
    /// What entries that move into new providers come to, by release or layout that they come from.
    var startingOff: [StartingOff] = []
    /// The splits for the plan's layouts.
    var layouts: [LayoutRun] = []
  }

  /// What the walks before the last came to.
  struct Placement {
    var pass: PlacementPass
    var numbers: Int
    var ranges: [PlanReport.RangePrice]
    /// How far the walk over the base release came; nil when entries keep no places.
    var passed: [Int]?
    var baseProblems: [String]
  }

  private func run(
    base: Base, temporaryFolder: String, staging: String? = nil,
    output: (_ provider: PlanProvider, _ folder: String) throws -> ProviderOutput
  ) throws -> Run {
    let rejects = try options.rejects.map { try RejectsFile($0, folder: temporaryFolder) }
    let unlabelled = try rejects.map { _ in try UnlabelledNumbers(folder: temporaryFolder) }
    let rows: SortedRows
    let placement: Placement
    do {
      rows = try read(temporaryFolder, rejects)
      placement = try place(rows, base, unlabelled)
      try rejects?.finish(unlabelled)
    } catch {
      // What was refused may be why the run fails.
      if let rejects, rejects.isComplete, !rejects.isFinished { try? rejects.finish(unlabelled) }
      throw error
    }
    let providers = installed(placement.pass)
    let conflicts = try options.conflicts.map {
      try ConflictsFile($0, files: rows.files, providers: providers.map(\.id))
    }
    let comparison = plan.layouts.isEmpty ? nil : LayoutComparison(base, placement, providers)
    var run = try split(rows, placement, base, staging: staging, conflicts: conflicts, output: output)
    try conflicts?.commit()
    try runLayouts(rows, &run, base, comparison, staging: staging, output: output)
    return run
  }

  /// The providers of a pass as a phone sees them.
  func installed(_ pass: PlacementPass) -> [PlanProvider] {
    pass.providers.map { plan.providers[$0.item].copy($0.copy) }
  }

  /// Gives every entry its place and ends all outputs. Shards and packs are written below `staging`, nothing without it.
  func split(
    _ rows: SortedRows, _ placement: Placement, _ base: Base, staging: String?, conflicts: ConflictsFile? = nil,
    output: (_ provider: PlanProvider, _ folder: String) throws -> ProviderOutput
  ) throws -> Run {
    let providers = installed(placement.pass)
    let packs = try PackOutputs(providers, plan, areas: rows.areas, folder: staging) {
      base.release?.provider($0.id)?.packs != nil
    }
    let queue = OutputQueue(
      try providers.map { $0.isPlanned && $0.packs == nil ? try output($0, staging ?? "") : nil })
    do {
      return try write(rows, placement, providers, queue, packs, base, conflicts)
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

  func place(_ rows: SortedRows, _ base: Base, _ unlabelled: UnlabelledNumbers?) throws -> Placement {
    let kept = base.isKept ? base.release : nil
    var groups: [ProviderID: CopyGroup] = [:]
    for group in kept?.groups ?? [] { groups[group.id] = group.copies }
    let rules = PlanningRules(
      providers: plan.providers.map(\.planned), sources: plan.sources.map(\.id),
      repeats: plan.sources.map(\.repeats), overlaps: plan.overlaps, unclaimed: plan.unclaimed,
      base: PlanningBase(providers: kept?.providers.map(\.id) ?? [], groups: groups))
    let planner = try PlacementPlanner(rules, areas: rows.areas)
    var numbers = 0
    var entries = BaseEntries(kept, in: base.folder)
    var ranges = RangePrices(rows.report)
    try rows.forEachSegment { segment, group in
      ranges.add(group, count: Self.count(segment))
      var rest = segment
      while true {
        let part = entries.look(up: rest)
        let findings = planner.tally(part, group, held: entries.held)
        // All numbers of a segment have the same rows.
        if let unlabelled, part.lowerBound == segment.lowerBound, findings.contains(.unlabelled) {
          try unlabelled.append(segment)
        }
        if Self.advance(&numbers, by: Self.count(part)) { options.progress?(.planning(numbers: numbers)) }
        guard let left = Self.rest(of: rest, behind: part.upperBound) else { break }
        rest = left
      }
    }
    try unlabelled?.finish()
    let (passed, problems) = (entries.passed, entries.problems)
    do {
      while true {
        if let pass = try planner.allocate() {
          return Placement(
            pass: pass, numbers: numbers, ranges: ranges.prices, passed: kept == nil ? nil : passed,
            baseProblems: problems)
        }
        var entries = BaseEntries(kept, in: base.folder, repeating: passed)
        var done = 0
        try rows.forEachSegment { segment, group in
          var rest = segment
          while true {
            let part = entries.look(up: rest)
            planner.weigh(part, group, held: entries.held)
            if Self.advance(&done, by: Self.count(part)) { options.progress?(.planning(numbers: done)) }
            guard let left = Self.rest(of: rest, behind: part.upperBound) else { break }
            rest = left
          }
        }
        try check(entries.problems, problems, base)
      }
    } catch let error as PlanningError {
      throw located(error)
    }
  }

  /// Entries keep places by what a walk over the base release finds; a later walk must find the same.
  private func check(_ found: [String], _ expected: [String], _ base: Base) throws {
    guard let new = found.first(where: { !expected.contains($0) }) else { return }
    throw ReleaseError(
      kind: .damaged, path: base.folder.path, what: "a shard of the base release became unreadable: \(new)",
      hint: "see to the disk and run again")
  }

  private func write(
    _ rows: SortedRows, _ placement: Placement, _ providers: [PlanProvider], _ queue: OutputQueue,
    _ packs: PackOutputs, _ base: Base, _ conflicts: ConflictsFile?
  ) throws -> Run {
    // What changes with each number stands in locals: properties of objects would be checked for exclusive access.
    var entries = BaseEntries(base.release, in: base.folder, repeating: placement.passed)
    var movement = MovementCounter(base.release, providers: providers.map(\.id))
    var starting = StartingOffCounter(base.release.map { $0.providers.map(\.id) }, providers)
    let keeps = base.isKept
    let knownProblems = placement.baseProblems.count
    let pass = placement.pass
    let changes = base.release.map { ChangeCounter($0, in: base.folder, providers: providers.map(\.id)) }
    let observers = try self.observers(providers) + (changes.map { [$0] } ?? [])
    let isObserved = !observers.isEmpty
    var done = 0
    try rows.forEachSegment { segment, group in
      var rest = segment
      while true {
        var part = entries.look(up: rest)
        let last = part.upperBound
        if keeps, entries.problems.count > knownProblems {
          try check(entries.problems, placement.baseProblems, base)
        }
        let held = entries.held
        while true {
          let (count, findings) = try pass.place(part, group, held: keeps ? held : .none) { provider, run in
            conflicts?.take(provider, run)
            movement.take(provider, run, held)
            if isObserved { for observer in observers { observer.take(provider, run) } }
            starting?.take(provider, run.entry)
            if let packs = packs[provider] { return try packs.append(run, group) }
            try queue.append(provider, run)
          }
          let placed = part.lowerBound...PhoneNumber(part.lowerBound.rawValue + Int64(count - 1))
          movement.end(held, count: count)
          if isObserved { for observer in observers { try observer.end(placed) } }
          starting?.end(placed, hadBlock: !held.blocking.isEmpty, hadLabel: !held.identification.isEmpty)
          try conflicts?.end(placed, of: segment, group, isConflict: findings.contains(.conflictingLabels))
          if Self.advance(&done, by: count) { options.progress?(.writing(numbers: done, of: placement.numbers)) }
          guard let left = Self.rest(of: part, behind: placed.upperBound) else { break }
          part = left
        }
        guard let left = Self.rest(of: rest, behind: last) else { break }
        rest = left
      }
    }
    let figures = pass.report
    var outputs = try queue.finish()
    try located { try packs.finish(into: &outputs) }
    return Run(
      reading: rows.report, files: rows.files, placement: figures,
      accounts: try ReleaseAccounts(reading: rows.report, placement: figures.accounts), moved: movement.moved,
      changes: changes?.finish() ?? providers.map { _ in nil },
      ranges: placement.ranges, baseProblems: entries.problems, providers: providers,
      groups: plan.providers.compactMap { provider in
        pass.groups[provider.id].map { ReleaseManifest.Group(id: provider.id, copies: $0) }
      },
      outputs: outputs,
      startingOff: starting?.result(from: .release(base.release?.release ?? 0)) ?? [])
  }

  /// Progress is reported every so many numbers.
  private static let progressStep = 1 << 16

  /// Adds to `done`; whether it is time for a report of progress.
  @inline(__always)
  static func advance(_ done: inout Int, by count: Int) -> Bool {
    let before = done
    done += count
    return before / progressStep != done / progressStep
  }

  @inline(__always)
  static func count(_ numbers: ClosedRange<PhoneNumber>) -> Int {
    Int(numbers.upperBound.rawValue - numbers.lowerBound.rawValue) + 1
  }

  /// The numbers of a range behind `last`, which is one of them; nil when there are none.
  @inline(__always)
  static func rest(of numbers: ClosedRange<PhoneNumber>, behind last: PhoneNumber) -> ClosedRange<PhoneNumber>? {
    last == numbers.upperBound ? nil : PhoneNumber(last.rawValue + 1)...numbers.upperBound
  }

  /// The error with its place in the plan's own text where it names one.
  private func located(_ error: PlanningError) -> PlanningError {
    guard case .claimMatchesNothing(let provider, let key, let value) = error.kind else { return error }
    var error = error
    let place = plan.error(provider: provider, key: key, naming: value, error.message)
    error.place = "\(place.file ?? "plan"):\(place.line):\(place.column)"
    error.keyPath = place.keyPath
    return error
  }
}
