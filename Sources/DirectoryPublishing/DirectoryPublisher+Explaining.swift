public import CallDirectory
internal import DirectorySources
internal import PlanFile
internal import ShardPlanning
internal import SystemSupport

extension DirectoryPublisher {
  /// What becomes of each of `numbers`: the rows that name it, how they merge, who claims it and where it goes. Runs the
  /// plan as `preview` does and writes nothing. A plan that fails over its rows is part of the answer.
  ///
  /// Errors as `preview` but for `PlanningError`.
  public func histories(of numbers: [PhoneNumber]) throws -> HistoryReport {
    let recorder = HistoryRecorder(numbers, sources: plan.sources.map(\.id))
    let rows = try read(Machine.temporaryFolder, recorder)
    let base = try base(currentRelease())
    var report = HistoryReport(
      histories: numbers.map {
        NumberHistory(number: $0, rows: [], refused: recorder.refused(for: $0), placement: nil)
      }, failure: nil, breaches: [])
    /// Notes the rows of a number that was asked for.
    func note(_ index: Int, _ group: UnsafeBufferPointer<SourceRow>) {
      report.histories[index].rows = history(
        of: numbers[index], group, recorder.rows.filter { $0.numbers.contains(numbers[index]) }, rows)
    }
    let placement: Placement
    do {
      placement = try place(rows, base, nil)
    } catch let error as PlanningError {
      report.failure = error
      try rows.forEachSegment { segment, group in
        for index in numbers.indices where segment.contains(numbers[index]) { note(index, group) }
      }
      return report
    }
    let pass = placement.pass
    var entries = BaseEntries(base.isKept ? base.release : nil, in: base.folder, repeating: placement.passed)
    var done = 0
    var packs = packMembers(pass, areas: rows.areas)
    // The places of a number depend on all before it.
    let wanted = numbers.sorted()
    try rows.forEachSegment { segment, group in
      var rest = segment
      while true {
        // Numbers that were asked for stand at the start of what is placed.
        let next = wanted.first { $0 > rest.lowerBound } ?? PhoneNumber(.max)
        let part = entries.look(
          up: rest.lowerBound...max(rest.lowerBound, min(rest.upperBound, PhoneNumber(next.rawValue - 1))))
        let held = entries.held
        if let index = numbers.firstIndex(of: rest.lowerBound) {
          report.histories[index].placement = pass.explanation(
            of: rest.lowerBound, group, held: held, areas: rows.areas)
          note(index, group)
        }
        var left = part
        while true {
          let asked = numbers.firstIndex(of: left.lowerBound)
          let (count, _) = pass.place(left, group, held: held) { provider, run in
            guard let asked else { return }
            report.histories[asked].packs += packs[provider]?.packs(of: run.entry, group) ?? []
          }
          if Self.advance(&done, by: count) { options.progress?(.writing(numbers: done, of: placement.numbers)) }
          let last = PhoneNumber(left.lowerBound.rawValue + Int64(count - 1))
          guard let more = Self.rest(of: left, behind: last) else { break }
          left = more
        }
        guard let more = Self.rest(of: rest, behind: part.upperBound) else { break }
        rest = more
      }
    }
    if let current = base.release {
      let figures = pass.report
      let accounts = try ReleaseAccounts(reading: rows.report, placement: figures.accounts)
      report.breaches = breaches(SourceChange.all(accounts, base: current.accounts), figures, current)
    }
    return report
  }

  /// The rows of a number with what was seen of them when they were read. Both are in the order of files and lines.
  private func history(
    of number: PhoneNumber, _ group: UnsafeBufferPointer<SourceRow>, _ observed: [HistoryRecorder.Observation],
    _ rows: SortedRows
  ) -> [NumberHistory.Row] {
    var rest = observed
    return group.map { row in
      let place = rest.firstIndex { $0.file == row.file && $0.line == row.line }
      let seen = place.map { rest.remove(at: $0) }
      return NumberHistory.Row(
        source: plan.sources[row.source].id, file: rows.files[row.file].path, line: row.line, text: seen?.text ?? "",
        cell: seen?.cell ?? "", numbers: seen?.numbers ?? number...number, notes: seen?.notes ?? "",
        action: row.action,
        label: String(decoding: row.label, as: UTF8.self), area: rows.areas[Int(row.area.rawValue)], score: row.score)
    }
  }
}
