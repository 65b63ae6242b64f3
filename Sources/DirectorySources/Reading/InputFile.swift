internal import SystemSupport

/// A file to read, before it is opened.
struct InputFile: Sendable {
  /// The path as the plan names it or as its pattern expanded.
  var path: String
  /// Position of its source in the plan.
  var source: Int
  /// How its bytes are laid out.
  var format: SourceFormat
  /// Its size on disk; nil for a pipe.
  var size: Int?
  /// What the system tells it by: the same for two names of one file.
  private var identity: Identity
  /// The entry of the source that named it.
  private var entry: String

  private struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// The files of all sources in the order they are read; patterns are expanded in byte order.
  ///
  /// Fails with the first entry that names no readable regular file or pipe, whose format cannot be told, or that names a
  /// file of its source again; then with the first source that has not as many files as it should.
  static func expand(_ sources: [SourceDescription]) throws(SourceError) -> [InputFile] {
    var files: [InputFile] = []
    for (index, source) in sources.enumerated() {
      var own: [InputFile] = []
      var known: [Identity: InputFile] = [:]
      for entry in source.files {
        for path in try paths(of: entry, source: source.id) {
          let file = try file(path, of: entry, index: index, source: source)
          if let earlier = known[file.identity] { throw repeated(file, earlier, source: source) }
          known[file.identity] = file
          own.append(file)
        }
      }
      try checkCount(own, source: source)
      files += own
    }
    return files
  }

  /// A file that is read twice counts each of its rows twice.
  private static func repeated(_ file: InputFile, _ earlier: InputFile, source: SourceDescription) -> SourceError {
    let names = file.entry == earlier.entry ? "\"\(file.entry)\"" : "\"\(earlier.entry)\" and \"\(file.entry)\""
    let what =
      file.path == earlier.path
      ? "the file is named twice, by \(names)" : "is the same file as \(earlier.path), named by \(names)"
    return SourceError(
      .data, source: source.id, file: file.path, key: "file", what,
      hint: "name each file once: a file that is read twice counts every row twice")
  }

  private static func checkCount(_ files: [InputFile], source: SourceDescription) throws(SourceError) {
    guard let expected = source.expectFiles, expected != files.count else { return }
    let shown = files.prefix(20).map(\.path).joined(separator: ", ")
    let rest = files.count > 20 ? " and \(files.count - 20) more" : ""
    throw SourceError(
      .noInput, source: source.id, key: "expectFiles",
      "\(expected) \(expected == 1 ? "file is" : "files are") expected, \(files.count) found"
        + (files.isEmpty ? "" : ": \(shown)\(rest)"),
      hint: "see that all files have arrived and nothing else is there, or change \"expectFiles\"")
  }

  private static func paths(of entry: String, source: String) throws(SourceError) -> [String] {
    do {
      // A name that exists is meant as it stands, even when it holds a wildcard.
      guard Glob.isPattern(entry), try FileSystem.status(entry) == nil else { return [entry] }
      let found = try Glob.paths(matching: entry)
      guard found.isEmpty else { return found }
    } catch {
      throw SourceError(error, source: source)
    }
    throw SourceError(
      .noInput, source: source, file: entry, key: "file", "the pattern matches no file",
      hint: "check the folder; paths are relative to the plan file")
  }

  private static func file(
    _ path: String, of entry: String, index: Int, source: SourceDescription
  ) throws(SourceError) -> InputFile {
    let status: FileStatus?
    do {
      status = try FileSystem.status(path)
    } catch {
      throw SourceError(error, source: source.id)
    }
    guard let status else {
      throw SourceError(
        .noInput, source: source.id, file: path, key: "file", "no such file",
        hint: "check the name; paths are relative to the plan file")
    }
    guard status.kind != .directory else {
      throw SourceError(
        .noInput, source: source.id, file: path, key: "file", "is a folder, not a file",
        hint: "name its files, for example \"\(path)/*.tsv\"")
    }
    return InputFile(
      path: path, source: index, format: try format(of: path, source: source),
      size: status.kind == .regular ? status.size : nil,
      identity: Identity(device: status.device, inode: status.inode), entry: entry)
  }

  private static func format(of path: String, source: SourceDescription) throws(SourceError) -> SourceFormat {
    if let format = source.format { return format }
    if let format = SourceFormat(path: path) { return format }
    let known = SourceFormat.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    throw SourceError(
      .data, source: source.id, file: path, key: "format", "the file's extension does not tell its format",
      hint: "add \"format\" to the source: one of \(known)")
  }
}
