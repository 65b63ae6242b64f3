internal import NameSuggestion

/// Puts together what the threads have counted.
struct ReportAssembly {
  let sources: [SourceDescription]
  /// The files with their final counts.
  let files: [SourceFile]
  private let chunks: [ChunkPlace]
  private let hasPositions: [Bool]
  private let layouts: [FileLayout?]

  init(sources: [SourceDescription], files: [InputFile], places: ReadPlaces) {
    self.sources = sources
    layouts = places.layouts
    chunks = places.chunks
    hasPositions = files.map(\.format.hasPositions)
    self.files = files.indices.map { index in
      SourceFile(
        path: files[index].path, source: files[index].source, bytes: places.bytes[index], rows: places.rows[index],
        lines: places.lines[index], separator: places.separators[index])
    }
  }

  /// The report over all threads' tallies.
  func report(_ tallies: [[SourceTally]]) -> ReadingReport {
    ReadingReport(
      sources: sources.indices.map { report(sum(of: tallies, source: $0), source: $0) })
  }

  /// B-125: a source none of whose rows can be used is an error, unless it may be empty.
  func checkNotEmpty(_ report: ReadingReport, _ tallies: [[SourceTally]]) throws(SourceError) {
    for (index, source) in sources.enumerated() where !source.allowEmpty {
      let part = report.sources[index]
      guard part.counts.acceptedRows == 0 else { continue }
      if part.counts.rows == 0, part.counts.filteredRows > 0 { throw filterError(index, part.counts, tallies) }
      let own = files.filter { $0.source == index }
      let allRows = part.counts.rows == 1 ? "the only row is" : "all \(part.counts.rows) rows are"
      let what: String
      if part.counts.rows == 0 {
        what = "no rows"
      } else if let group = part.refusals.max(by: { $0.count < $1.count }), let example = group.examples.first {
        what =
          "\(allRows) refused; \(group.count): \(group.finding.text), "
          + "first at \(example.place): \(example.raw)"
      } else {
        what = "\(allRows) refused"
      }
      throw SourceError(
        .data, source: source.id, file: own.count == 1 ? own[0].path : "", what,
        hint: part.counts.rows == 0
          ? "set \"allowEmpty\": true if the source may be empty" : "check the columns, \"country\" and \"numbersAre\"")
    }
  }

  /// What to say when filters leave no row: the first one that no row meets, and values that its column has.
  private func filterError(_ index: Int, _ counts: ReadingCounts, _ tallies: [[SourceTally]]) -> SourceError {
    let source = sources[index]
    let sum = sum(of: tallies, source: index)
    let rows = "\(counts.filteredRows) \(counts.filteredRows == 1 ? "row" : "rows")"
    guard let place = sum.filters.firstIndex(where: { !$0.isMet }) else {
      return SourceError(
        .data, source: source.id, key: "where", "none of \(rows) meets all conditions of \"where\"",
        hint: "check the conditions together, or set \"allowEmpty\": true if there may be no such rows")
    }
    let filter = source.filters[place]
    let column =
      switch filter.column {
      case .name(let name): "\"\(name)\""
      case .position(let position): "\(position)"
      }
    let wanted = filter.values.map { "\"\($0)\"" }.joined(separator: " or ")
    let seen = sum.filters[place].values.map { String(decoding: $0.text, as: UTF8.self) }
    let nearest = filter.values.lazy.compactMap { NearestName.find($0, among: seen) }.first
    return SourceError(
      .data, source: source.id, key: "where",
      "none of \(rows) has \(wanted) in column \(column); the first values there are "
        + seen.map { "\"\($0)\"" }.joined(separator: ", "),
      hint: nearest.map { "did you mean \"\($0)\"?" }
        ?? "check \"where\", or set \"allowEmpty\": true if there may be no such rows")
  }

  private func sum(of tallies: [[SourceTally]], source: Int) -> SourceTally {
    var sum = SourceTally(filters: sources[source].filters.count)
    for tally in tallies { sum.add(tally[source]) }
    return sum
  }

  private func report(_ tally: SourceTally, source: Int) -> SourceReport {
    var report = SourceReport(id: sources[source].id)
    for file in files where file.source == source {
      report.counts.files += 1
      report.counts.bytes += file.bytes
      report.counts.lines += file.lines
    }
    report.counts.rows = tally.rows
    report.counts.refusedRows = tally.refusedRows
    report.counts.filteredRows = tally.filteredRows
    report.counts.read = tally.read
    report.counts.refused = tally.refused
    report.counts.rangeRows = tally.rangeRows
    report.counts.rangeNumbers = tally.rangeNumbers
    for index in tally.groups.indices where tally.groups[index].count > 0 {
      let code = FindingCode(index: index)
      let group = FindingGroup(
        finding: code.finding, count: tally.groups[index].count, examples: tally.groups[index].examples.map(example))
      if code.isNote { report.notes.append(group) } else { report.refusals.append(group) }
    }
    let separated = files.filter { $0.source == source && ($0.separator ?? .comma) != .comma }
    if !separated.isEmpty {
      let examples = separated.prefix(FindingGroup.exampleLimit).map { file in
        RowExample(
          file: file.path, line: 1, column: nil, raw: "", reason: file.separator.map { "by \($0.spelling)" } ?? "")
      }
      report.notes.append(
        FindingGroup(finding: .separatorFound, count: separated.count, examples: Array(examples)))
    }
    report.refusals.sort { $0.finding < $1.finding }
    report.notes.sort { $0.finding < $1.finding }
    return report
  }

  private func example(_ draft: ExampleDraft) -> RowExample {
    let place = chunks[Int(draft.chunk)]
    var example = RowExample(
      file: files[Int(place.file)].path, line: place.firstLine + draft.line,
      column: draft.column.map { $0 + (draft.line == 0 ? place.firstColumn : 1) }
        ?? (hasPositions[Int(place.file)] ? draft.field.map { $0 + 1 } : nil),
      raw: draft.raw, reason: draft.reason)
    // A column without a position has a name, which the reason then says.
    if let names = layouts[Int(place.file)]?.names, let field = draft.field, field < names.count {
      example.reason += " (\(names[field]))"
    }
    return example
  }
}
