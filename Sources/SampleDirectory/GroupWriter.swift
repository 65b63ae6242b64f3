internal import SystemSupport

/// Writes the table of one group, row by row.
struct GroupWriter {
  let recipe: SampleRecipe
  let group: SampleGroup
  let russian: RussianPlan
  let foreign: ForeignPlan
  let labels: LabelWriter
  let phones: PhoneWriter
  let codes: BytePool
  let wide: WideColumns?
  /// All numbers of the sample so far.
  let used: NumberSet
  /// The group whose numbers may stand here once more.
  let earlier: GroupTable?
  /// Numbers every sample has: the row they come in, the number and the label.
  let demonstrations: [(number: UInt64, label: String, isOverlap: Bool)]

  private static let header: StaticString = "phone\tname\tcity\tkind\tcalls"
  private static let headerAbroad: StaticString = "phone\tname\tcountry\tkind\tcalls"
  /// The part of numbers of an earlier group that are written here too.
  private static let overlapShare = 0.005
  private static let hiddenShare = 0.04
  private static let spamShare = 0.01
  private static let repeatShare = 0.04
  private static let conflictShare = 0.02
  private static let malformedShare = 0.003
  private static let unlabelledShare = 0.01

  /// A share of `count`, and never so few that a small sample goes without.
  private static func part(_ share: Double, of count: Int, atLeast least: Int = 2) -> Int {
    max(least, Int(share * Double(count)))
  }

  /// Writes the rows of `count` numbers and returns them; `summary` is brought up to date.
  func write(
    _ count: Int, to row: RowBuffer, summary: inout SampleSummary.Group, progress: (Int) -> Void
  ) throws(SystemError) -> GroupTable {
    var random = SampleRandom(seed: recipe.seed &+ UInt64(group.rawValue + 1) &* 0xD1B5_4A32_D192_ED03)
    var table = GroupTable(capacity: count)
    row.append(group == .abroad ? Self.headerAbroad : Self.header)
    if wide != nil { row.append(WideColumns.header) }
    row.append(10)

    var overlaps = Schedule(earlier == nil ? 0 : Self.part(Self.overlapShare, of: count, atLeast: 10), over: count)
    var hidden = Schedule(Self.part(Self.hiddenShare, of: count), over: count)
    var spam = Schedule(Self.part(Self.spamShare, of: count), over: count)
    var repeats = Schedule(Self.part(Self.repeatShare, of: count), over: count)
    var conflicts = Schedule(Self.part(Self.conflictShare, of: count), over: count)
    var malformed = Schedule(Self.part(Self.malformedShare, of: count, atLeast: 4), over: count)
    var unlabelled = Schedule(Self.part(Self.unlabelledShare, of: count), over: count)
    // A run: consecutive or near numbers of one owner.
    var runLeft = 0
    var runLabel: UInt32 = 0
    var runKind = GroupTable.Kind.company
    var last = (number: UInt64(0), place: UInt8(0))

    for index in 0..<count {
      if index & 0xFFFF == 0 { progress(index) }
      if let demonstration = demonstration(at: index, of: count) {
        let place = place(ofDemonstration: demonstration)
        let seed = GroupTable.firstReserved + UInt32(demonstration)
        table.append(demonstrations[demonstration].number, label: seed, place: place, kind: .company)
        if demonstrations[demonstration].isOverlap { summary.overlaps += 1 }
      } else if overlaps.isDue(index), let earlier, let found = overlap(overlaps, earlier, &random) {
        // Of ten: three have the same label in both tables, one is blocked here and labelled there, six differ.
        let turn = overlaps.done % 10
        overlaps.count()
        let place = group == .abroad ? ForeignPlan.russia : UInt8(2 + random.below(russian.cities.count - 2))
        let label = earlier.labels[found]
        table.append(
          earlier.numbers[found], label: turn < 3 ? label : (label &+ 1 &+ UInt32(random.below(1 << 20))) & 0x7FFF_FFFF,
          place: place, kind: turn == 3 ? .hidden : .company)
        summary.overlaps += 1
        runLeft = 0
      } else {
        var isNew = false
        if runLeft > 0 {
          runLeft -= 1
          // Seven of ten times the very next number, else another of the same hundred.
          let next =
            runKind == .company && random.below(10) > 6
            ? last.number / 100 * 100 + UInt64(random.below(100)) : last.number + 1
          isNew = next / 100 == last.number / 100 && used.insert(next)
          if isNew { last.number = next } else { runLeft = 0 }
        }
        if !isNew {
          repeat { last = draw(&random) } while !used.insert(last.number)
          runLabel = UInt32(truncatingIfNeeded: random.next() >> 33)
          runKind = .company
          if hidden.isDue(index) {
            runKind = .hidden
            // A third of the blocked numbers stand in runs.
            if random.below(12) == 0 { runLeft = min(4 + random.below(5), hidden.left - 1) }
          } else if spam.isDue(index) {
            runKind = .spam
          } else if random.below(10) == 0 {
            runLeft = 1 + random.below(3)
          }
        }
        if runKind == .hidden { hidden.count() } else if runKind == .spam { spam.count() }
        table.append(last.number, label: runLabel, place: last.place, kind: runKind)
      }

      let kind = table.kind(index)
      if unlabelled.isDue(index) {
        try writeUnlabelled(isOld: unlabelled.done % 2 == 0, index, table, &random, to: row)
        unlabelled.count()
        summary.unlabelled += 1
      }
      try write(index, table, label: kind == .hidden ? nil : table.labels[index], kind, &random, to: row)
      summary.identification += kind == .hidden ? 0 : 1
      summary.blocking += kind == .company ? 0 : 1

      if repeats.isDue(index) {
        repeats.count()
        let other = random.below(index + 1)
        let kind = table.kind(other)
        try write(other, table, label: kind == .hidden ? nil : table.labels[other], kind, &random, to: row)
        summary.repeats += 1
      }
      if conflicts.isDue(index), let other = labelled(upTo: index, table, &random) {
        conflicts.count()
        let label = (table.labels[other] &+ UInt32(1 + random.below(1 << 20))) & 0x7FFF_FFFF
        try write(other, table, label: label, table.kind(other), &random, to: row)
        summary.conflicts += 1
      }
      // The numbers in such a cell have a label already: an importer that can read them changes no count.
      if malformed.isDue(index), let other = labelled(upTo: index, table, &random),
        let another = labelled(upTo: index, table, &random)
      {
        MalformedPhone.write(
          kind: malformed.done * SampleGroup.allCases.count + group.rawValue, table.numbers[other],
          table.numbers[another], to: row)
        malformed.count()
        try writeRest(label: UInt32(random.below(1 << 31)), place: table.places[other], .company, &random, to: row)
        summary.malformed += 1
      }
    }
    summary.numbers = table.count
    progress(count)
    return table
  }

  /// Writes companies that the first day, which had `count`, did not have. Requires: `used` has all numbers of the first day.
  func writeNew(_ count: Int, to row: RowBuffer) throws(SystemError) {
    var random = SampleRandom(seed: recipe.seed &+ UInt64(group.rawValue + 1) &* 0xA24B_AED4_963E_E407)
    for _ in 0..<count / DayChange.newShare {
      var new = draw(&random)
      while !used.insert(new.number) { new = draw(&random) }
      phones.write(new.number, group, place: new.place, style: random.below(1 << 16), to: row)
      try writeRest(label: UInt32(random.below(1 << 31)), place: new.place, .company, &random, to: row)
    }
  }

  // MARK: Numbers

  @inline(__always)
  private func draw(_ random: inout SampleRandom) -> (number: UInt64, place: UInt8) {
    group == .abroad ? foreign.draw(&random) : russian.draw(group, &random)
  }

  /// Demonstration numbers stand at thirds of the table: neither first nor last.
  private func demonstration(at index: Int, of count: Int) -> Int? {
    demonstrations.indices.first { (($0 + 1) * count) / (demonstrations.count + 1) == index }
  }

  private func place(ofDemonstration index: Int) -> UInt8 { group == .moscow ? 0 : UInt8(2 + index) }

  /// A labelled company of the earlier group: a different one for each overlap.
  private func overlap(_ overlaps: Schedule, _ earlier: GroupTable, _ random: inout SampleRandom) -> Int? {
    let slice = max(earlier.count / (overlaps.done + overlaps.left), 1)
    for _ in 0..<16 {
      let index = overlaps.done * slice + random.below(slice)
      if index < earlier.count, earlier.kind(index) == .company, !earlier.isDemonstration(index) { return index }
    }
    return nil
  }

  private func labelled(upTo index: Int, _ table: GroupTable, _ random: inout SampleRandom) -> Int? {
    for _ in 0..<16 {
      let other = random.below(index + 1)
      if table.kind(other) != .hidden { return other }
    }
    return nil
  }

  // MARK: Rows

  @inline(__always)
  private func write(
    _ index: Int, _ table: GroupTable, label: UInt32?, _ kind: GroupTable.Kind, _ random: inout SampleRandom,
    to row: RowBuffer
  ) throws(SystemError) {
    let place = table.places[index]
    var label = label
    if recipe.day > 1, !table.isDemonstration(index) {
      switch DayChange(table.numbers[index], seed: recipe.seed) {
      case .none: break
      case .gone:
        // What the row would have drawn, so that all rows after it are those of the first day.
        _ = random.below(1 << 16)
        _ = random.skewed(below: 500)
        if let wide { wide.skip(&random) }
        return
      case .relabelled: label = label.map(DayChange.other)
      }
    }
    phones.write(table.numbers[index], group, place: place, style: random.below(1 << 16), to: row)
    try writeRest(label: label, place: place, kind, &random, to: row)
  }

  /// Half of the unlabelled rows come before the row of a number that has a label; the numbers of the others have none.
  private func writeUnlabelled(
    isOld: Bool, _ index: Int, _ table: GroupTable, _ random: inout SampleRandom, to row: RowBuffer
  ) throws(SystemError) {
    if isOld {
      try write(index, table, label: nil, .company, &random, to: row)
      return
    }
    var new = draw(&random)
    while !used.insert(new.number) { new = draw(&random) }
    phones.write(new.number, group, place: new.place, style: random.below(1 << 16), to: row)
    try writeRest(label: nil, place: new.place, .company, &random, to: row)
  }

  /// The cells after the phone.
  @inline(__always)
  private func writeRest(
    label: UInt32?, place: UInt8, _ kind: GroupTable.Kind, _ random: inout SampleRandom, to row: RowBuffer
  ) throws(SystemError) {
    row.append(9)
    if let label {
      if label >= GroupTable.firstReserved {
        row.append(text: demonstrations[Int(label - GroupTable.firstReserved)].label)
      } else {
        labels.write(label, language(of: place), to: row)
      }
    }
    row.append(9)
    if group == .abroad {
      codes.write(Int(place), to: row)
    } else {
      russian.cities.write(Int(place), to: row)
    }
    row.append(9)
    row.append(kind.cell)
    row.append(9)
    row.append(decimal: UInt64(random.skewed(below: 500)))
    if let wide { wide.write(&random, to: row) }
    try row.endRow()
  }

  @inline(__always)
  private func language(of place: UInt8) -> ForeignPlan.Language {
    group == .abroad ? languages[Int(place)] : .russian
  }

  /// By place, for the table of abroad.
  let languages = ForeignPlan.countries.map(\.language)
}
