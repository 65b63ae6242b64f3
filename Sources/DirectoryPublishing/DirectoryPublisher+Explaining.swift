public import CallDirectory
internal import DirectorySources
internal import PlanFile
internal import ShardPlanning
internal import SystemSupport

extension DirectoryPublisher {
  /// What becomes of each of `numbers`: the rows that name it, how they merge, who claims it and where it goes. Runs the
  /// plan as `preview` does and writes nothing.
  ///
  /// Errors as `preview`.
  public func histories(of numbers: [PhoneNumber]) throws -> [NumberHistory] {
    let recorder = HistoryRecorder(numbers, sources: plan.sources.map(\.id))
    let rows = try read(Machine.temporaryFolder, recorder)
    let base = try base(currentRelease())
    let placement = try place(rows, base, nil)
    let pass = placement.pass
    var histories = numbers.map {
      NumberHistory(number: $0, rows: [], refused: recorder.refused(for: $0), placement: nil)
    }
    var entries = BaseEntries(base.isKept ? base.release : nil, in: base.folder, repeating: placement.passed)
    var done = 0
    // The places of a number depend on all before it.
    try rows.forEachNumber { number, group in
      entries.look(up: number)
      let held = entries.held
      if let index = numbers.firstIndex(of: number) {
        histories[index].placement = pass.explanation(of: number, group, held: held, areas: rows.areas)
        histories[index].rows = history(group, recorder.rows.filter { $0.numbers.contains(number) }, rows)
      }
      pass.place(number, group, held: held) { _, _ in }
      done += 1
      if done & Self.progressMask == 0 { options.progress?(.writing(numbers: done, of: placement.numbers)) }
    }
    return histories
  }

  /// The rows of a number with what was seen of them when they were read. Both are in the order of files and lines.
  private func history(
    _ group: UnsafeBufferPointer<SourceRow>, _ observed: [HistoryRecorder.Observation], _ rows: SortedRows
  ) -> [NumberHistory.Row] {
    var rest = observed
    return group.map { row in
      let place = rest.firstIndex { $0.file == row.file && $0.line == row.line }
      let seen = place.map { rest.remove(at: $0) }
      return NumberHistory.Row(
        source: plan.sources[row.source].id, file: rows.files[row.file].path, line: row.line, text: seen?.text ?? "",
        cell: seen?.cell ?? "", notes: seen?.notes ?? "", action: row.action,
        label: String(decoding: row.label, as: UTF8.self), area: rows.areas[Int(row.area.rawValue)], score: row.score)
    }
  }
}
