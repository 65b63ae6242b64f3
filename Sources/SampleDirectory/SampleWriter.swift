internal import SystemSupport

/// Writes a sample directory: tables of companies for three providers, lists of numbers beside them, and a plan.
///
/// Files: `companies-moscow-spb.tsv`, `companies-russia.tsv`, `companies-abroad.tsv`, `spam.txt`, `never-block.txt`,
/// `blocklist.txt` (for a provider with data of its own; no source of the plan) and `plan.json`, written last. Every row
/// is invented: numbers are drawn from assigned ranges, labels are put together from syllables.
public struct SampleWriter: Sendable {
  /// What is written.
  public let recipe: SampleRecipe
  /// The folder it is written to.
  public let directory: String
  /// Whether files that are there are replaced.
  public let replaces: Bool

  /// Entries from which a group is cut into parts for several providers: air under the phone's 1,999,999, because the
  /// parts have equally many numbers, not entries.
  package var mostEntries = 1_985_000

  /// A writer to `directory`, which is made if it is not there.
  public init(recipe: SampleRecipe, directory: String, replaces: Bool = false) {
    self.recipe = recipe
    self.directory = directory
    self.replaces = replaces
  }

  /// Writes all files. About 30 bytes of memory and a microsecond per number.
  ///
  /// After an error the folder may hold some of the tables, but no plan.
  /// - Parameter progress: called with numbers written and numbers in all, about every 65,000.
  public func write(progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws(SampleError) -> SampleSummary {
    guard SampleRecipe.possibleRows.contains(recipe.rows) else { throw .rowsOutOfRange(recipe.rows) }
    do throws(SystemError) {
      try FileSystem.createDirectory(directory)
    } catch {
      throw .system(error)
    }
    try checkPlace()
    do throws(SystemError) {
      return try writeFiles(progress)
    } catch {
      throw .system(error)
    }
  }

  /// The names of all files, in the order written.
  static let fileNames =
    SampleGroup.allCases.map(\.fileName) + ["spam.txt", "never-block.txt", "blocklist.txt", "plan.json"]

  private func checkPlace() throws(SampleError) {
    for path in Self.fileNames.map({ Path.join(directory, $0) }) {
      let isThere: Bool
      do throws(SystemError) {
        isThere = try FileSystem.status(path) != nil
        // The plan goes first: it must not describe tables that are half replaced.
        if isThere, replaces, Path.name(of: path) == "plan.json" { try FileSystem.remove(path) }
      } catch {
        throw .system(error)
      }
      if isThere, !replaces { throw .fileExists(path) }
    }
  }

  private func writeFiles(_ progress: (Int, Int) -> Void) throws(SystemError) -> SampleSummary {
    let russian = RussianPlan()
    let used = NumberSet(capacity: recipe.rows + recipe.rows / 50 + 1000)
    for number in Demonstration.all { _ = used.insert(number.value) }
    let labels = LabelWriter(seed: recipe.seed)
    let lists = NumberLists(recipe: recipe, russian: russian, used: used)
    var summary = SampleSummary(files: [], groups: SampleGroup.allCases.map { SampleSummary.Group(id: $0.id) })
    var tables: [GroupTable] = []
    var listedCompanies: [UInt64] = []
    var opened: [OpenTable] = []
    var before = 0

    for group in SampleGroup.allCases {
      let numbers = recipe.numbers(of: group)
      // Numbers of the block list belong to the group whose provider claims it.
      let listed = group == .russia ? NumberLists.listedCount(of: numbers) : 0
      let writer = GroupWriter(
        recipe: recipe, group: group, russian: russian, foreign: ForeignPlan(), labels: labels, phones: PhoneWriter(),
        codes: BytePool(ForeignPlan.countries.map { $0.code.description }), wide: recipe.isWide ? WideColumns() : nil,
        used: used, earlier: tables.last, demonstrations: Self.demonstrations(of: group))
      let done = before
      let file = summary.files.count
      var table = try write(group.fileName, &summary) { (row, summary) throws(SystemError) in
        opened.append(OpenTable(writer: writer, row: row, count: numbers - listed, file: file))
        return try writer.write(numbers - listed, to: row, summary: &summary.groups[group.rawValue]) { count in
          progress(done + count, recipe.rows)
        }
      }
      if listed > 0 {
        listedCompanies = try write("spam.txt", &summary) { (row, summary) throws(SystemError) in
          let known = try lists.writeSpam(listed, to: row, table: &table)
          summary.groups[group.rawValue].numbers += listed
          summary.groups[group.rawValue].blocking += listed + known.count
          return known
        }
      }
      before += numbers
      tables.append(table)
    }
    let cuts = try write("never-block.txt", &summary) { (row, _) throws(SystemError) in
      try lists.writeAllowed(tables, listedCompanies: listedCompanies, to: row)
    }
    for (group, cut) in cuts.enumerated() { summary.groups[group].blocking -= cut }
    try write("blocklist.txt", &summary) { (row, _) throws(SystemError) in
      try lists.writeBlockList(tables, to: row)
    }
    if recipe.day > 1 { try writeNew(opened, &summary) }
    let plan = SamplePlan(recipe: recipe, summary: summary, tables: tables, mostEntries: mostEntries).text
    try write("plan.json", &summary) { (row, _) throws(SystemError) in
      row.append(text: plan)
    }
    return summary
  }

  /// A table of companies to which rows may still be added.
  private struct OpenTable {
    let writer: GroupWriter
    let row: RowBuffer
    /// Numbers of the first day.
    let count: Int
    /// Its position in the summary.
    let file: Int
  }

  /// Adds the companies that are new on the second day: last of all, since a later file too may have a number on the first.
  private func writeNew(_ tables: [OpenTable], _ summary: inout SampleSummary) throws(SystemError) {
    for table in tables {
      try table.writer.writeNew(table.count, to: table.row)
      try table.row.flush()
      summary.files[table.file].rows = table.row.rows
      summary.files[table.file].bytes = table.row.size
    }
  }

  private func write<Result>(
    _ name: String, _ summary: inout SampleSummary,
    _ body: (RowBuffer, inout SampleSummary) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let row = try RowBuffer(Path.join(directory, name))
    let result = try body(row, &summary)
    try row.flush()
    summary.files.append(SampleSummary.File(name: name, rows: row.rows, bytes: row.size))
    return result
  }

  private static func demonstrations(of group: SampleGroup) -> [(number: UInt64, label: String, isOverlap: Bool)] {
    Demonstration.all.compactMap { demonstration in
      let label =
        switch group {
        case .moscow: demonstration.moscowLabel
        case .russia: demonstration.russiaLabel
        case .abroad: String?.none
        }
      return label.map { (demonstration.value, $0, group == .russia && demonstration.moscowLabel != nil) }
    }
  }
}
