internal import DirectorySources
internal import SystemSupport

extension Plan {
  /// The folder that relative paths of the plan are relative to: the plan file's own; `.` for a plan without file.
  public var folder: String { file.map(Path.directory(of:)) ?? "." }

  /// The plan with every relative path joined to `folder`; by default that of the plan file. Absolute paths and bare
  /// library names stay as they are; nothing asks the file system.
  public func resolvingPaths(against folder: String? = nil) -> Plan {
    let folder = folder ?? self.folder
    let resolve = { (path: String) in folder == "." ? path : Path.join(folder, path) }
    var plan = self
    for index in plan.sources.indices {
      plan.sources[index].files = sources[index].files.map(resolve)
      plan.sources[index].areaMap = sources[index].areaMap.map(resolve)
    }
    func resolveLibraries(_ providers: inout [PlanProvider]) {
      for index in providers.indices where providers[index].library.utf8.contains(0x2F) {
        providers[index].library = resolve(providers[index].library)
      }
    }
    resolveLibraries(&plan.providers)
    for index in plan.layouts.indices { resolveLibraries(&plan.layouts[index].providers) }
    plan.mainStore = mainStore.map(resolve)
    plan.phone.contacts = phone.contacts.map(resolve)
    plan.paths.plugins = resolve(paths.plugins)
    plan.paths.shards = resolve(paths.shards)
    plan.paths.store = resolve(paths.store)
    return plan
  }
}
