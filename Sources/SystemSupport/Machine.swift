#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// What the machine offers this process.
public enum Machine {
  /// Processors that are switched on; at least 1.
  public static var activeProcessors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The folder for temporary files: `TMPDIR`, else `/tmp`.
  public static var temporaryFolder: String {
    guard let value = getenv("TMPDIR"), value.pointee != 0 else { return "/tmp" }
    return String(cString: value)
  }

  /// The folders in which programs are looked for: `PATH`, else where systems keep them.
  public static var programFolders: [String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The program `name` in the first of `folders` that has it; nil when none has. Folders that are not absolute do not
  /// count: what they hold depends on where the user stands.
  public static func program(_ name: String, in folders: [String] = programFolders) -> String? {
    for folder in folders where Path.isAbsolute(folder) {
      let path = Path.join(folder, name)
      if access(path, X_OK) == 0, (try? FileSystem.status(path))?.kind == .regular { return path }
    }
    return nil
  }
}
