internal import CallDirectory
internal import PlanFile
internal import PositionedJSON
internal import ShardPacks
internal import ShardPlanning
internal import SystemSupport

extension DirectoryPublisher {
  /// The files of a release where they were written, with the names they get, each once: packs first, then what names
  /// them.
  func stagedFiles(_ manifest: ReleaseManifest, _ staging: String) throws -> [(staged: String, file: String)] {
    var files: [(staged: String, file: String)] = []
    var seen: Set<String> = []
    func add(_ provider: ReleaseManifest.Provider, _ staging: String) throws {
      let staged = Path.join(staging, provider.id.rawValue)
      if let packs = provider.packs {
        let folder = PackOutput.folder(provider.id, in: staging)
        for file in packs.index.files where seen.insert(file).inserted { files.append((Path.join(folder, file), file)) }
        try write(packs.index.encoded(), to: staged)
      }
      if seen.insert(provider.file).inserted { files.append((staged, provider.file)) }
    }
    for provider in manifest.providers { try add(provider, staging) }
    for layout in manifest.layouts {
      for provider in layout.providers { try add(provider, Self.staging(of: layout.name, in: staging)) }
    }
    return files
  }

  private func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let file = try OpenFile(path, .overwrite)
    let result = bytes.withUnsafeBytes { bytes in Result { () throws(SystemError) in try file.write(bytes) } }
    try result.get()
    try file.synchronize()
  }

  /// Whether phones must load a provider again: it says something else, or divides the same into packs otherwise.
  func needsReload(_ output: ProviderOutput.Result, _ before: ReleaseManifest.Provider?) -> Bool {
    guard let digests = output.contentDigests else { return true }
    return before?.contentDigests != digests || before?.packs?.divisionDigest != output.packs?.digests?.division
      || before?.packs?.index.names != output.packs?.index.names
  }

  /// By provider of a pass: in which packs its entries are; nil for one without packs.
  func packMembers(_ pass: PlacementPass, areas: [String]) -> [ProviderPacks?] {
    pass.providers.map { placed in
      plan.providers[placed.item].packs.map {
        ProviderPacks(provider: placed.id, members: PackMembers(areas: areas, withoutArea: $0.withoutArea))
      }
    }
  }

  /// `body` with the place in the plan of what it says about packs.
  func located(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch var error as PackRuleError {
      let item = plan.providers.first { $0.id == error.provider || Plan.copy(error.provider, of: $0.id) != nil }
      let place = plan.error(provider: item?.id ?? error.provider, key: error.key, naming: error.value, error.what)
      error.place = "\(place.file ?? "plan"):\(place.line):\(place.column)"
      error.keyPath = place.keyPath
      throw error
    }
  }
}

/// The packs of one provider, to be asked about single numbers.
struct ProviderPacks {
  let provider: ProviderID
  var members: PackMembers

  /// In which packs the provider's entry is.
  mutating func packs(of entry: DirectoryEntry, _ rows: UnsafeBufferPointer<SourceRow>) -> [NumberHistory.Packs] {
    let names = members.names(of: entry, rows)
    return [(EntryFamily.blocking, names.blocking), (.identification, names.identification)]
      .filter { !$1.isEmpty }.map { NumberHistory.Packs(provider: provider, family: $0, names: $1) }
  }
}
