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
/// Both read, normalise and sort the same sources and write as many shards in the plan's profile. The null planner walks over the rows
/// once and writes each number, with the first label and any block, to the provider at the position of the first row's source. The
/// planner walks twice, counts, shares out, accounts, counts movements and hands the entries to another thread. Processor time of all
/// threads is compared, since wall time on a shared machine is not that of the program.
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
    for pair in 0...pairs {
      let null = try measure(nullRun)
      let full = try measure(fullRun)
      // The first pair only warms up.
      guard pair > 0 else { continue }
      ratios.append(full.processor / null.processor)
      print(
        "entries \(full.entries) (null \(null.entries))  processor s \(Self.text(full.processor)) "
          + "(null \(Self.text(null.processor)))  ratio \(Self.text(full.processor / null.processor))  "
          + "wall s \(Self.text(full.wall)) (null \(Self.text(null.wall)))")
    }
    ratios.sort()
    if !ratios.isEmpty { print("median ratio \(Self.text(ratios[ratios.count / 2]))") }
  }

  private func fullRun() throws -> Int {
    let publisher = DirectoryPublisher(plan)
    let releases = ReleaseFolder(plan.paths.shards)
    let lock = try releases.lock(holder: "benchmark")
    defer { withExtendedLifetime(lock) {} }
    return try publisher.stage().report.entries
  }

  private func nullRun() throws -> Int {
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
    try rows.forEachNumber { number, group in
      var label: UnsafeRawBufferPointer?
      var isBlocked = false
      for row in group {
        if row.action == .block || row.action == .both { isBlocked = true }
        if label == nil, row.action == .identify || row.action == .both, !row.label.isEmpty { label = row.label }
      }
      guard isBlocked || label != nil else { return }
      try writers[group[0].source % count].append(DirectoryEntry(number: number, isBlocked: isBlocked, label: label))
    }
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
