#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Text operations on POSIX paths; nothing here asks the file system but `absolute`.
public enum Path {
  /// `base/name`, or `name` when it is absolute.
  public static func join(_ base: String, _ name: String) -> String {
    if name.hasPrefix("/") || base.isEmpty { return name }
    if name.isEmpty || name == "." { return base }
    return base.hasSuffix("/") ? base + name : "\(base)/\(name)"
  }

  /// The folder part: `.` for a bare name, `/` for the root.
  public static func directory(of path: String) -> String {
    var end = path.endIndex
    while end > path.startIndex, path[path.index(before: end)] == "/", end != path.index(after: path.startIndex) {
      end = path.index(before: end)
    }
    guard let slash = path[..<end].lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component.
  public static func name(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  /// The part of the name after its last dot, without the dot; empty when there is none or the name begins with it.
  public static func fileExtension(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  /// The path from the root, against the current folder; symbolic links stay.
  public static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let buffer = getcwd(nil, 0) else { return path }
    defer { free(buffer) }
    return join(String(cString: buffer), path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
  }
}
