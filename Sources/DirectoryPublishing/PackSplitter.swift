internal import CallDirectory
internal import ShardFormat
internal import ShardWriting
internal import SystemSupport

/// Writes packs from a spool: few shard files are open at a time, whatever the number of packs, since entries are first divided
/// among as many spools as there may be open files, and those again, until each has few packs.
///
/// Each run is copied once for each level and pack; memory is that of `mostOpen` shard writers.
struct PackSplitter {
  /// What a pack is written as.
  struct Target {
    /// Position of the pack in the spool's members.
    var member: Int
    /// Where the shard is to stand.
    var path: String
    /// How it is stored.
    var profile: ShardProfile
  }

  /// Shards, or spools, that are open at a time.
  static let standardMostOpen = 32

  /// The data set's name, for the shards.
  var dataSet: String
  /// Where temporary files lie.
  var folder: String
  /// The phrases of packs in the balanced profile, and what they were learnt from; nil when no pack has it.
  var phrases: (dictionary: PhraseDictionary, sample: LabelSample)?
  var mostOpen = PackSplitter.standardMostOpen

  /// Writes `targets`, in ascending order of their members, from the entries of `spool`. Returns what was written in their order.
  func split(_ spool: PackSpool, _ targets: ArraySlice<Target>) throws -> [ShardSummary] {
    if targets.count <= mostOpen { return try write(spool, targets) }
    let chunk = (targets.count + mostOpen - 1) / mostOpen
    let parts = stride(from: targets.startIndex, to: targets.endIndex, by: chunk).map {
      targets[$0..<min($0 + chunk, targets.endIndex)]
    }
    let spools = try parts.map { _ in try PackSpool(folder: folder) }
    let part = lookup(parts)
    var chosen: [[PackMembers.Member]] = parts.map { _ in [] }
    try spool.forEach { run, members in
      for member in members {
        let place = Int(member.pack) < part.count ? part[Int(member.pack)] : -1
        if place >= 0 { chosen[Int(place)].append(member) }
      }
      for place in parts.indices where !chosen[place].isEmpty {
        try spools[place].append(run, chosen[place])
        chosen[place].removeAll(keepingCapacity: true)
      }
    }
    return try zip(spools, parts).flatMap { try split($0, $1) }
  }

  /// By member: the position of the part that has its target, -1 for none.
  private func lookup(_ parts: [some Collection<Target>]) -> [Int32] {
    let most = parts.reduce(-1) { $1.reduce($0) { max($0, $1.member) } }
    var part = [Int32](repeating: -1, count: most + 1)
    for (place, targets) in parts.enumerated() {
      for target in targets { part[target.member] = Int32(truncatingIfNeeded: place) }
    }
    return part
  }

  private func write(_ spool: PackSpool, _ targets: ArraySlice<Target>) throws -> [ShardSummary] {
    var options = ShardWriter.Options()
    options.dataSet = dataSet
    var writers: [ShardWriter] = []
    do {
      for target in targets {
        options.profile = target.profile
        writers.append(try ShardWriter(target.path, options: options, sample: phrases?.sample))
      }
      let place = lookup(targets.map { [$0] })
      try spool.forEach { run, members in
        for member in members where Int(member.pack) < place.count && place[Int(member.pack)] >= 0 {
          let entry = DirectoryEntry(
            number: run.entry.number, isBlocked: member.isBlocked, label: member.isIdentified ? run.entry.label : nil)
          try writers[Int(place[Int(member.pack)])].append(EntryRun(entry, count: run.count))
        }
      }
      return try writers.map { try $0.finish(dictionary: phrases?.dictionary) }
    } catch {
      for writer in writers { writer.abort() }
      throw error
    }
  }
}
