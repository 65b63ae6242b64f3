internal import SystemSupport

/// A file to read, before it is opened.
struct InputFile: Sendable {
  /// The path as the plan names it or as its pattern expanded.
  var path: String
  /// Position of its source in the plan.
  var source: Int
  /// How its bytes are laid out.
  var format: SourceFormat
  /// Its size; nil for a pipe.
  var size: Int?

  /// The files of all sources in the order they are read; patterns are expanded in byte order.
  ///
  /// Fails with the first entry that names no readable regular file or pipe, or whose format cannot be told.
  static func expand(_ sources: [SourceDescription]) throws(SourceError) -> [InputFile] {
    var files: [InputFile] = []
    for (index, source) in sources.enumerated() {
      for entry in source.files {
        for path in try paths(of: entry, source: source.id) {
          files.append(try file(path, index: index, source: source))
        }
      }
    }
    return files
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

  private static func file(_ path: String, index: Int, source: SourceDescription) throws(SourceError) -> InputFile {
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
      size: status.kind == .regular ? status.size : nil)
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
