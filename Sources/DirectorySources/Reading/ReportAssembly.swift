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
      sources: sources.indices.map { index in
        var sum = SourceTally()
        for tally in tallies { sum.add(tally[index]) }
        return report(sum, source: index)
      })
  }

  /// B-125: a source none of whose rows can be used is an error, unless it may be empty.
  func checkNotEmpty(_ report: ReadingReport) throws(SourceError) {
    for (index, source) in sources.enumerated() where !source.allowEmpty {
      let part = report.sources[index]
      guard part.counts.acceptedRows == 0 else { continue }
      let own = files.filter { $0.source == index }
      let what: String
      if part.counts.rows == 0 {
        what = "no rows"
      } else if let group = part.refusals.max(by: { $0.count < $1.count }), let example = group.examples.first {
        what =
          "all \(part.counts.rows) rows are refused; \(group.count): \(group.finding.text), "
          + "first at \(example.file):\(example.line): \(example.raw)"
      } else {
        what = "all \(part.counts.rows) rows are refused"
      }
      throw SourceError(
        .data, source: source.id, file: own.count == 1 ? own[0].path : "", what,
        hint: part.counts.rows == 0
          ? "set \"allowEmpty\": true if the source may be empty" : "check the columns, \"country\" and \"numbersAre\"")
    }
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
    report.counts.read = tally.read
    report.counts.refused = tally.refused
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
      column: hasPositions[Int(place.file)] ? draft.field.map { $0 + 1 } : nil,
      raw: draft.raw, reason: draft.reason)
    // A column without a position has a name, which the reason then says.
    if let names = layouts[Int(place.file)]?.names, let field = draft.field, field < names.count {
      example.reason += " (\(names[field]))"
    }
    return example
  }
}
