internal import CallDirectory
internal import Digests
internal import PlanFile
internal import ShardFormat
internal import ShardPacks
internal import ShardPlanning
internal import ShardWriting
internal import SystemSupport

/// The packs of one provider in a run: takes its entries in ascending order, counts them by pack and set, and writes the packs, unless
/// the run is a preview.
///
/// Memory: a fixed amount for each area, 200 kB, and while the packs are written that of `PackSplitter`.
final class PackOutput {
  let provider: PlanProvider
  private let rule: PackRule
  private var members: PackMembers
  private let spool: PackSpool?
  private let sample: LabelSample?
  private let isBalanced: Bool
  /// Nil when there is nothing to compare them with: a range would be expanded for them.
  private let digests: PackDigester?
  private var all = EntryCounts()
  /// By pack.
  private var counts: [EntryCounts]
  private var labelBytes: [Int]
  private var storedRows: [Int]
  /// By pack: the sets of names that it is in, a bit each.
  private let setsOfPack: [UInt64]
  private var setCounts: [EntryCounts]
  private var numbers: ClosedRange<PhoneNumber>?

  /// What the packs come to.
  struct Result {
    /// All entries, each number once in each family.
    var counts: EntryCounts
    /// Nil for a preview that has nothing to be compared with.
    var digests: PackDigests?
    /// The lowest and the highest number; nil without entries.
    var numbers: ClosedRange<PhoneNumber>?
    /// The packs there are, in byte order of their names, files still without names where nothing was written.
    var index: PackIndex
    /// Size of the index and of all packs: about, where nothing was written.
    var bytes: Int
  }

  /// The packs of `provider` over rows whose areas are `areas`. `spoolFolder` is nil for a preview, which `takesDigests` only
  /// when they are wanted.
  init(
    _ provider: PlanProvider, _ rule: PackRule, areas: [String], isBalanced: Bool, takesDigests: Bool,
    spoolFolder: String?
  ) throws {
    self.provider = provider
    self.rule = rule
    let named = rule.sets.flatMap { set -> [String] in if case .packs(let names) = set { names } else { [] } }
    let members = PackMembers(
      areas: areas, withoutArea: rule.withoutArea, others: provider.mayBeEmpty ? named : [])
    self.members = members
    spool = try spoolFolder.map { try PackSpool(folder: $0) }
    self.isBalanced = isBalanced
    sample = spoolFolder != nil && isBalanced ? LabelSample() : nil
    counts = Array(repeating: EntryCounts(), count: members.names.count)
    labelBytes = Array(repeating: 0, count: members.names.count)
    storedRows = labelBytes
    digests = takesDigests || spoolFolder != nil ? PackDigester(members.names) : nil
    setCounts = Array(repeating: EntryCounts(), count: rule.sets.count)
    setsOfPack = members.names.map { name in
      rule.sets.enumerated().reduce(0) { bits, set in
        let isIn =
          switch set.element {
          case .all: true
          case .packs(let names): names.contains(name)
          }
        return isIn ? bits | 1 << UInt64(set.offset) : bits
      }
    }
  }

  /// Takes the provider's entries of numbers that have `rows`. O(rows and packs), with digests also in the numbers.
  func append(_ run: EntryRun, _ rows: UnsafeBufferPointer<SourceRow>) throws(SystemError) {
    let entry = run.entry
    members.find(entry, rows)
    numbers = (numbers?.lowerBound ?? entry.number)...run.numbers.upperBound
    if entry.isBlocked {
      all.blocking += run.count
    }
    if let label = entry.label {
      all.identification += run.count
      sample?.add(label)
    }
    let stored = run.count >= ShardWriter.leastNumbersOfRun ? 1 : run.count
    var (blockSets, labelSets): (UInt64, UInt64) = (0, 0)
    for member in members.found {
      let pack = Int(member.pack)
      if member.isBlocked {
        counts[pack].blocking += run.count
        blockSets |= setsOfPack[pack]
      }
      if member.isIdentified {
        counts[pack].identification += run.count
        labelBytes[pack] += (entry.label?.count ?? 0) * stored
        labelSets |= setsOfPack[pack]
      }
      storedRows[pack] += stored
    }
    digests?.append(run, members.found)
    for set in setCounts.indices {
      setCounts[set].blocking += run.count * Int(blockSets >> UInt64(set) & 1)
      setCounts[set].identification += run.count * Int(labelSets >> UInt64(set) & 1)
    }
    try spool?.append(run, members.found)
  }

  /// Ends the output and writes the packs into `folder`, nothing for a preview.
  ///
  /// Throws `PackRuleError` for sets beyond the limit and for names of no pack, and what writing throws.
  func finish(dataSet: String, folder: String) throws -> Result {
    let kept = members.names.indices.filter { isKept($0) }
    try check(kept)
    let base = Self.folder(provider.id, in: folder)
    var packs = kept.map {
      PackIndex.Pack(
        name: members.names[$0], file: "", sha256: SHA256().finish(), bytes: estimatedBytes($0), counts: counts[$0])
    }
    if let spool {
      try FileSystem.createDirectory(base)
      let written = try split(spool, kept, dataSet, base)
      for (place, summary) in written.enumerated() {
        packs[place].sha256 = summary.fileDigest
        packs[place].bytes = summary.byteCount
        packs[place].file = ReleaseFolder.shardName(provider.id, summary.fileDigest)
        try FileSystem.rename(Path.join(base, "\(place)"), to: Path.join(base, packs[place].file))
      }
    }
    let sets = zip(rule.sets, setCounts).map { set, counts in
      let names: [String]? = if case .packs(let names) = set { names } else { nil }
      return PackIndex.Set(packs: names, counts: counts)
    }
    let index = PackIndex(
      provider: provider.id, limit: provider.planned.limit, withoutArea: rule.withoutArea, packs: packs, sets: sets)
    return Result(
      counts: all, digests: digests?.finish(), numbers: numbers, index: index,
      bytes: index.encoded().count + packs.reduce(0) { $0 + $1.bytes })
  }

  /// Where the packs of a provider are written, below the folder in which a release is prepared.
  static func folder(_ id: ProviderID, in folder: String) -> String { Path.join(folder, ".packs-\(id)") }

  private func split(
    _ spool: PackSpool, _ kept: [Int], _ dataSet: String, _ base: String
  ) throws -> [ShardSummary] {
    let targets = kept.enumerated().map { place, pack in
      PackSplitter.Target(
        member: pack, path: Path.join(base, "\(place)"),
        profile: isBalanced(pack) ? .balanced : .plain)
    }
    var phrases: (PhraseDictionary, LabelSample)?
    if let sample, targets.contains(where: { $0.profile == .balanced }) {
      phrases = (PhraseDictionary(training: sample), sample)
    }
    return try PackSplitter(dataSet: dataSet, folder: base, phrases: phrases).split(spool, targets[...])
  }

  /// Every shard of the balanced profile has a copy of the dictionary, about 100 kB: one with fewer labels is smaller without.
  private static let leastBalancedLabels = 150_000

  private func isBalanced(_ pack: Int) -> Bool { isBalanced && labelBytes[pack] >= Self.leastBalancedLabels }

  private func isKept(_ pack: Int) -> Bool {
    if counts[pack].total > 0 || members.names[pack] == rule.withoutArea { return true }
    guard provider.mayBeEmpty else { return false }
    // A set may name a pack that is empty today.
    return rule.sets.contains { if case .packs(let names) = $0 { names.contains(members.names[pack]) } else { false } }
  }

  private func estimatedBytes(_ pack: Int) -> Int {
    ProviderOutput.estimatedBytes(labelBytes[pack], storedRows[pack], isBalanced: isBalanced(pack))
  }

  private func check(_ kept: [Int]) throws(PackRuleError) {
    guard kept.count <= PackIndex.mostPacks else {
      throw PackRuleError(
        provider: provider.id, key: "packs", value: nil,
        what: "the entries come to \(kept.count) packs, and a provider has at most \(PackIndex.mostPacks)",
        hint: "bring areas together with an \"areaMap\", or split the provider")
    }
    let names = kept.map { members.names[$0] }
    var excesses: [String] = []
    for (set, counts) in zip(rule.sets, setCounts) {
      if case .packs(let wanted) = set, let unknown = wanted.first(where: { !names.contains($0) }) {
        throw .unknown(unknown, provider.id, names)
      }
      guard counts.total > provider.planned.limit else { continue }
      let set =
        if case .packs(let names) = set { names.map { "\"\($0)\"" }.joined(separator: " + ") } else { "all packs" }
      excesses.append(
        "\(set) come to \(counts.total) entries (\(counts.blocking) blocking, \(counts.identification) "
          + "identification), \(counts.total - provider.planned.limit) over the limit of \(provider.planned.limit)")
    }
    if !excesses.isEmpty {
      throw PackRuleError(
        provider: provider.id, key: "packSets", value: nil, what: excesses.joined(separator: "; "),
        hint: "list smaller sets in \"packSets\", or give some areas to another provider")
    }
  }
}
