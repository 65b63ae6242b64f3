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
}
