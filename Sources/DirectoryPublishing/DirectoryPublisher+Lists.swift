internal import CallDirectory
internal import DirectorySources
internal import PlanFile
internal import SystemSupport

/// The lists beside a run replace the files whose names they get: those must be nobody else's.
extension DirectoryPublisher {
  /// Refuses `--rejects` and `--conflicts` where one of them would replace what the run reads, lie among releases or in the
  /// store, or where both would be one file. Looks at names, devices and file numbers only, so that a link to a file is
  /// the file. Throws a `ReleaseError`; nothing has been read or written then.
  func checkLists() throws {
    var targets: [(option: String, path: String)] = []
    if let path = options.rejects {
      targets.append(("--rejects", path))
      targets.append(("--rejects", RejectsFile.reasonsPath(path)))
    }
    if let path = options.conflicts { targets.append(("--conflicts", path)) }
    guard !targets.isEmpty else { return }
    let inputs = inputs()
    for (option, path) in targets {
      if let input = try inputs.first(where: { try isSameFile(path, $0.path) }) {
        throw ReleaseError(
          kind: .notWritable, path: path, what: "\(option) would overwrite \(input.role) \(input.path)",
          hint: "name another file for \(option)")
      }
      for (role, folder) in folders() where try lies(path, in: folder) {
        throw ReleaseError(
          kind: .notWritable, path: path, what: "\(option) would write into \(role) \(folder)",
          hint: "name a file elsewhere: only shardctl writes there")
      }
    }
    guard options.rejects != nil, let conflicts = options.conflicts else { return }
    for (option, path) in targets.dropLast() where try isSameFile(path, conflicts) {
      throw ReleaseError(
        kind: .notWritable, path: path, what: "\(option) and --conflicts would write the same file",
        hint: "name two files; the reasons of --rejects FILE stand in FILE.reasons.tsv")
    }
  }

  /// What the run and its phone read, and what it is in a message.
  private func inputs() -> [(role: String, path: String)] {
    var inputs: [(role: String, path: String)] = []
    if let file = plan.file { inputs.append(("the plan", file)) }
    for source in plan.sources {
      for entry in source.files {
        // What cannot be expanded is an error of reading, with its own text.
        let paths = Glob.isPattern(entry) ? (try? Glob.paths(matching: entry)) ?? [] : []
        for path in [entry] + paths { inputs.append(("a file of source \"\(source.id)\",", path)) }
      }
      if let map = source.areaMap { inputs.append(("the area map of source \"\(source.id)\",", map)) }
    }
    if let contacts = plan.phone.contacts { inputs.append(("the contacts", contacts)) }
    for provider in plan.providers + plan.layouts.flatMap(\.providers) {
      let library = provider.library
      let isPath = library.utf8.contains(UInt8(ascii: "/"))
      inputs.append(
        ("the library of \"\(provider.id)\",", isPath ? library : Path.join(plan.paths.plugins, library)))
    }
    return inputs
  }

  private func folders() -> [(role: String, path: String)] {
    var folders = [("the folder of releases", plan.paths.shards), ("the store", plan.paths.store)]
    if case .folder(let base) = options.base { folders.append(("the folder of the base release", base)) }
    return folders
  }

  /// Whether both names lead to one file, or would if it was there.
  private func isSameFile(_ first: String, _ second: String) throws -> Bool {
    if let one = try FileSystem.status(first), let other = try FileSystem.status(second) {
      return one.inode == other.inode && one.device == other.device
    }
    guard Path.name(of: first) == Path.name(of: second),
      let one = try FileSystem.status(Path.directory(of: first)),
      let other = try FileSystem.status(Path.directory(of: second))
    else { return false }
    return one.inode == other.inode && one.device == other.device
  }

  /// Whether the folder of `path` is `folder` or lies below it, whatever links lead there.
  private func lies(_ path: String, in folder: String) throws -> Bool {
    guard let wanted = try FileSystem.status(folder) else { return false }
    var place = Path.directory(of: path)
    var last: FileStatus?
    while let status = try FileSystem.status(place), status.inode != last?.inode || status.device != last?.device {
      if status.inode == wanted.inode, status.device == wanted.device { return true }
      last = status
      place = Path.join(place, "..")
    }
    return false
  }
}
