import CallDirectory
import DirectoryPublishing
import DirectorySources
import PlanFile
import ShardFormat
import ShardWriting
import SystemSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What planning costs: a build of a plan against the same run with a planner that decides nothing, in turn.
///
/// Both read, normalise and sort the same sources, walk over the sorted rows twice, and hand entries to another thread that writes as many
/// shards in the plan's profile. The null planner does nothing in the first walk, and in the second gives each number, with the first label
/// and any block, to the provider at the position of the first row's source. What a run adds to that is planning: merging, claims,
/// counting, sharing out, accounts, movements. Processor time of all threads is compared, since wall time on a shared machine is not that
/// of the program. The bare null run walks once and writes on the thread that walks, as a program without a planner could.
struct PlanningBenchmark {
  private let plan: Plan
  private let pairs: Int
  private let folder: String

  init(_ arguments: [String]) throws {
    var plan = try Plan.load(path: arguments.argument(0) ?? "plan.json").resolvingPaths()
    pairs = arguments.argument(1).flatMap { Int($0) } ?? 5
    folder = "\(Machine.temporaryFolder)/shardctl-benchmark-\(CurrentProcess.id)"
    plan.paths.shards = "\(folder)/shards"
    self.plan = plan
  }

  func run() throws {
    try FileSystem.createDirectory(folder)
    defer { try? FileSystem.removeTree(folder) }
    var ratios: [Double] = []
    var bareRatios: [Double] = []
    for pair in 0...pairs {
      let bare = try measure { try nullRun(isBare: true) }
      let null = try measure { try nullRun(isBare: false) }
      let full = try measure(fullRun)
      // The first pair only warms up.
      guard pair > 0 else { continue }
      ratios.append(full.processor / null.processor)
      bareRatios.append(full.processor / bare.processor)
      print(
        "entries \(full.entries) (null \(null.entries))  processor s \(Self.text(full.processor)) "
          + "(null \(Self.text(null.processor)), bare \(Self.text(bare.processor)))  ratio \(Self.text(full.processor / null.processor))  "
          + "wall s \(Self.text(full.wall)) (null \(Self.text(null.wall)))")
    }
    ratios.sort()
    bareRatios.sort()
    guard !ratios.isEmpty else { return }
    let middle = ratios.count / 2
    print("median ratio \(Self.text(ratios[middle])), to the bare run \(Self.text(bareRatios[middle]))")
  }

  private func fullRun() throws -> Int {
    let publisher = DirectoryPublisher(plan)
    let releases = ReleaseFolder(plan.paths.shards)
    let lock = try releases.lock(holder: "benchmark")
    defer { withExtendedLifetime(lock) {} }
    return try publisher.stage().report.entries
  }

  private func nullRun(isBare: Bool) throws -> Int {
    let shards = "\(folder)/null"
    try FileSystem.createDirectory(shards)
    let rows = try DirectoryReader(
      sources: plan.sources, options: ReadingOptions(memory: PublishingOptions().memory, temporaryFolder: shards)
    ).read()
    let sample = LabelSample()
    var options = ShardWriter.Options()
    options.profile = plan.profile == .balanced ? .balanced : .plain
    options.dataSet = plan.name
    let count = plan.providers.count(where: \.isPlanned)
    let writers = try (0..<count).map { try ShardWriter("\(shards)/\($0)", options: options, sample: sample) }
    var numbers = 0
    if !isBare { try rows.forEachSegment { _, _ in numbers += 1 } }
    let handOver = HandOver(writers)
    try rows.forEachNumber { number, group in
      var label: UnsafeRawBufferPointer?
      var isBlocked = false
      for row in group {
        if row.action == .block || row.action == .both { isBlocked = true }
        if label == nil, row.action == .identify || row.action == .both, !row.label.isEmpty { label = row.label }
      }
      guard isBlocked || label != nil else { return }
      let entry = DirectoryEntry(number: number, isBlocked: isBlocked, label: label)
      let writer = group[0].source % count
      if isBare { try writers[writer].append(entry) } else { try handOver.append(writer, entry) }
    }
    try handOver.finish()
    return try ShardWriter.finish(writers).reduce(0) { $0 + $1.counts.total }
  }

  private func measure(_ run: () throws -> Int) throws -> (entries: Int, processor: Double, wall: Double) {
    for name in ["null", "shards"] { try? FileSystem.removeTree("\(folder)/\(name)") }
    let before = Self.processorSeconds()
    var entries = 0
    let wall = try ContinuousClock().measure { entries = try run() }
    return (
      entries, Self.processorSeconds() - before,
      Double(wall.components.seconds) + Double(wall.components.attoseconds) * 1e-18
    )
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private static func text(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    let digits = "\(thousandths % 1000)"
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - digits.utf8.count))\(digits)"
  }
}
