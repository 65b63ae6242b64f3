internal import SystemSupport

/// The lists beside the tables: one number per line.
struct NumberLists {
  let recipe: SampleRecipe
  let russian: RussianPlan
  let used: NumberSet

  /// How many numbers of the group `russia` stand in `spam.txt` alone.
  static func listedCount(of numbers: Int) -> Int { max(6, numbers / 200) }

  /// `spam.txt`: Russian numbers that are blocked; a third in runs. New numbers are appended to `table`; one in ten is
  /// a labelled company of it, so that the number is in both families. Returns the companies listed.
  func writeSpam(
    _ count: Int, to row: RowBuffer, table: inout GroupTable
  ) throws(SystemError) -> [UInt64] {
    var random = SampleRandom(seed: recipe.seed ^ 0x5B4D_0000_0000_0001)
    let companies = table.count
    let step = companies / (count / 10 + 2)
    var known: [UInt64] = []
    var runLeft = 0
    var last = (number: UInt64(0), place: UInt8(0))
    for index in 0..<count {
      var isNew = false
      if runLeft > 0 {
        runLeft -= 1
        last.number += 1
        isNew = last.number % 10_000 != 0 && used.insert(last.number)
        if !isNew { runLeft = 0 }
      }
      if !isNew {
        repeat { last = russian.draw(.russia, &random) } while !used.insert(last.number)
        if random.below(12) == 0 { runLeft = 4 + random.below(5) }
      }
      table.append(last.number, label: 0, place: last.place, kind: .listed)
      try write(last.number, to: row)
      if index % 10 == 0 {
        var other = (known.count + 1) * step
        while other < companies, table.kind(other) != .company || table.isDemonstration(other) { other += 1 }
        if other < companies {
          known.append(table.numbers[other])
          table.list(other)
          try write(table.numbers[other], to: row)
        }
      }
    }
    return known
  }

  /// `never-block.txt`: numbers whose block is taken away. Returns how many blocks of each group that cuts.
  func writeAllowed(
    _ tables: [GroupTable], listedCompanies: [UInt64], to row: RowBuffer
  ) throws(SystemError) -> [Int] {
    var cuts = tables.map { _ in 0 }
    for group in SampleGroup.allCases {
      let table = tables[group.rawValue]
      let most = max(1, table.count / 5000)
      // Labelled callers only: without a block they are companies again, and no number is lost.
      for index in 0..<table.count where cuts[group.rawValue] < most && table.kind(index) == .spam {
        try write(table.numbers[index], to: row)
        cuts[group.rawValue] += 1
      }
    }
    for number in listedCompanies.prefix(max(1, listedCompanies.count / 20)) {
      try write(number, to: row)
      cuts[SampleGroup.russia.rawValue] += 1
    }
    return cuts
  }

  /// `blocklist.txt`, for a provider with data of its own: digits only, ascending; companies of all groups, numbers
  /// nobody else knows, and the demonstration number.
  func writeBlockList(_ tables: [GroupTable], to row: RowBuffer) throws(SystemError) {
    var random = SampleRandom(seed: recipe.seed ^ 0xB10C_0000_0000_0002)
    let count = max(20, recipe.rows / 5000)
    var numbers: [UInt64] = [Demonstration.blocked.value]
    for index in 0..<count {
      let table = tables[index % tables.count]
      let known = random.below(table.count)
      if index % 2 == 0, !table.isDemonstration(known) {
        numbers.append(table.numbers[known])
      } else {
        var new = russian.draw(.russia, &random).number
        while !used.insert(new) { new = russian.draw(.russia, &random).number }
        numbers.append(new)
      }
    }
    numbers.sort()
    var previous: UInt64 = 0
    for number in numbers where number != previous {
      row.append(decimal: number)
      try row.endRow()
      previous = number
    }
  }

  private func write(_ number: UInt64, to row: RowBuffer) throws(SystemError) {
    row.append("+")
    row.append(decimal: number)
    try row.endRow()
  }
}
