internal import CallDirectory
internal import DirectorySources
internal import PlanFile
internal import ShardPlanning
internal import SystemSupport

extension DirectoryPublisher {
  /// The split of the rows for one layout.
  struct LayoutRun {
    var name: String
    var publisher: DirectoryPublisher
    var base: Base
    var run: Run
    /// What starts off on phones that are updated from the layout to the plan's own providers.
    var startingOff: [StartingOff] = []
  }

  /// Splits the rows for each layout of the plan, and notes what `run`, the split for the plan's own providers, moves into
  /// providers that phones with the layout do not have. The rows are not read again.
  func runLayouts(
    _ rows: SortedRows, _ run: inout Run, _ base: Base, _ comparison: LayoutComparison?, staging: String?,
    output: (_ provider: PlanProvider, _ folder: String) throws -> ProviderOutput
  ) throws {
    guard let comparison else { return }
    for layout in plan.layouts {
      guard let layoutPlan = plan.using(layout: layout.name) else { continue }
      var options = options
      options.rejects = nil
      options.conflicts = nil
      let publisher = DirectoryPublisher(layoutPlan, options: options)
      let layoutBase = base.view(of: layout.name)
      let folder = staging.map { Self.staging(of: layout.name, in: $0) }
      if let folder { try FileSystem.createDirectory(folder) }
      do {
        let placement = try publisher.place(rows, layoutBase, nil)
        comparison.add(layout.name, layoutBase, placement, publisher.installed(placement.pass))
        run.layouts.append(
          LayoutRun(
            name: layout.name, publisher: publisher, base: layoutBase,
            run: try publisher.split(rows, placement, layoutBase, staging: folder, output: output)))
      } catch var error as PlanningError {
        let path = "layouts.\(layout.name)"
        if !error.keyPath.hasPrefix(path) {
          error.keyPath = error.keyPath.isEmpty ? path : "\(path).\(error.keyPath)"
        }
        throw error
      }
    }
    for (index, moved) in try comparison.result(rows).enumerated() { run.layouts[index].startingOff = moved }
  }

  /// Where the files of a layout are written, below the folder in which a release is prepared.
  static func staging(of layout: String, in folder: String) -> String {
    Path.join(Path.join(folder, ".layouts"), layout)
  }

  /// What the layouts of a run come to.
  func layoutReports(_ run: Run) -> [PlanReport.Layout] {
    var known = Set(run.outputs.compactMap { $0?.packs == nil ? $0?.contentDigests : nil })
    return run.layouts.map { layout in
      let digests = layout.run.outputs.compactMap { $0?.packs == nil ? $0?.contentDigests : nil }
      let shared = digests.count(where: known.contains)
      known.formUnion(digests)
      return PlanReport.Layout(
        name: layout.name, report: layout.publisher.report(layout.run, layout.base), shared: shared,
        startingOff: layout.startingOff)
    }
  }

  /// The limits of guards of layouts' providers that a run exceeds. Sources are the same for all.
  func layoutBreaches(_ run: Run) -> [GuardBreach] {
    run.layouts.flatMap { $0.publisher.breaches($0.run.placement, $0.base.release) }
  }
}
