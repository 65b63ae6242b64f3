#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Text operations on POSIX paths; nothing here asks the file system but `absolute`.
///
/// Paths are compared byte by byte, as the system does: in Swift's characters a `/` before a combining mark is no `/`.
public enum Path {
  private static let slash = UInt8(ascii: "/")

  /// Whether `path` begins at the root.
  public static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

  /// `base/name`, or `name` when it is absolute.
  public static func join(_ base: String, _ name: String) -> String {
    if isAbsolute(name) || base.isEmpty { return name }
    if name.isEmpty || name == "." { return base }
    return base.utf8.last == slash ? base + name : "\(base)/\(name)"
  }

  /// `path` as seen from the folder `base` when it lies below it, else nil. Neither is resolved: both must begin alike.
  public static func relative(_ path: String, to base: String) -> String? {
    let folder = base.utf8.last == slash ? base.utf8[...] : "\(base)/".utf8[...]
    guard path.utf8.count > folder.count, path.utf8.starts(with: folder) else { return nil }
    return String(decoding: path.utf8.dropFirst(folder.count), as: UTF8.self)
  }

  /// The folder part: `.` for a bare name, `/` for the root. Slashes at the end do not count.
  public static func directory(of path: String) -> String {
    let bytes = path.utf8
    guard let nameEnd = bytes.lastIndex(where: { $0 != slash }) else { return bytes.isEmpty ? "." : "/" }
    guard let last = bytes[..<nameEnd].lastIndex(of: slash) else { return "." }
    guard let folderEnd = bytes[..<last].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(decoding: bytes[...folderEnd], as: UTF8.self)
  }

  /// The last component.
  public static func name(of path: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash) else { return path }
    return String(decoding: path.utf8[path.utf8.index(after: last)...], as: UTF8.self)
  }

  /// The part of the name after its last dot, without the dot; empty when there is none or the name begins with it.
  public static func fileExtension(of path: String) -> String {
    let name = name(of: path).utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
    return String(decoding: name[name.index(after: dot)...], as: UTF8.self)
  }

  /// The path from the root, against the current folder; symbolic links stay.
  public static func absolute(_ path: String) -> String {
    if isAbsolute(path) { return path }
    guard let buffer = getcwd(nil, 0) else { return path }
    defer { free(buffer) }
    return join(
      String(cString: buffer),
      path.utf8.starts(with: "./".utf8) ? String(decoding: path.utf8.dropFirst(2), as: UTF8.self) : path)
  }
}
