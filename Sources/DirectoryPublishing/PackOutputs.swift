internal import CallDirectory
internal import PlanFile
internal import SystemSupport

/// The packs of all providers of a run that have some.
struct PackOutputs {
  /// By provider; nil for one without packs.
  private let outputs: [PackOutput?]
  private let dataSet: String
  private let folder: String

  /// Packs for those of `providers` whose plan wants them. `folder` gets the packs and is nil for a preview.
  init(
    _ providers: [PlanProvider], _ plan: Plan, areas: [String], folder: String?, takesDigests: (PlanProvider) -> Bool
  ) throws {
    outputs = try providers.map { provider in
      try provider.packs.map {
        try PackOutput(
          provider, $0, areas: areas, isBalanced: plan.profile == .balanced, takesDigests: takesDigests(provider),
          spoolFolder: folder)
      }
    }
    dataSet = plan.name
    self.folder = folder ?? ""
  }

  /// The output of a provider; nil for one without packs.
  @inline(__always)
  subscript(provider: Int) -> PackOutput? { outputs[provider] }

  /// Ends the packs and puts what they came to at the places of their providers.
  func finish(into results: inout [ProviderOutput.Result?]) throws {
    for (provider, output) in outputs.enumerated() {
      guard let output else { continue }
      let result = try output.finish(dataSet: dataSet, folder: folder)
      results[provider] = ProviderOutput.Result(
        contentDigests: result.digests?.contents, bytes: result.bytes, summary: nil, packs: result)
    }
  }
}
