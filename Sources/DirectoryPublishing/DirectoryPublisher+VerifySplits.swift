internal import CallDirectory
internal import ShardPacks
internal import ShardPlanning

extension DirectoryPublisher {
  /// What the packs and layouts of a release differ in from those of a run over the same sources.
  func splitDifference(_ manifest: ReleaseManifest, _ report: PlanReport) -> String? {
    if let difference = packDifference(manifest, report) { return difference }
    for layout in manifest.layouts {
      guard let view = manifest.view(of: layout.name),
        let found = report.layouts.first(where: { $0.name == layout.name })?.report
      else { return "the layout \(layout.name) is not one of the plan" }
      let counts = found.providers.map(\.placement.counts)
      if view.accounts != found.accounts || view.overlaps != found.overlaps || view.providers.map(\.counts) != counts {
        return "the figures of the layout \(layout.name) are not those of the sources"
      }
      if let difference = packDifference(view, found) { return "layout \(layout.name): \(difference)" }
    }
    return report.layouts.count == manifest.layouts.count ? nil : "the layouts are not those of the plan"
  }

  private func packDifference(_ manifest: ReleaseManifest, _ report: PlanReport) -> String? {
    for provider in manifest.providers {
      let found = report.providers.first { $0.placement.id == provider.id }?.packs
      let own = provider.packs?.index
      if own?.names != found?.names || own?.packs.map(\.counts) != found?.packs.map(\.counts)
        || own?.sets != found?.sets
      {
        return "the packs of \(provider.id) are not those of the sources"
      }
    }
    return nil
  }
}
