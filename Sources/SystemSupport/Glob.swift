/// File name patterns with `*` and `?`, matched component by component against what is on the disk.
public enum Glob {
  /// Whether `pattern` holds a wildcard.
  public static func isPattern(_ pattern: String) -> Bool { pattern.utf8.contains { $0 == 0x2A || $0 == 0x3F } }

  /// The existing paths that match, in byte order. Names that begin with a dot match only a pattern that does.
  public static func paths(matching pattern: String) throws(SystemError) -> [String] {
    var found = [Path.isAbsolute(pattern) ? "/" : ""]
    let components = pattern.utf8.split(separator: UInt8(ascii: "/"))
    for (index, component) in components.enumerated() {
      let component = String(decoding: component, as: UTF8.self)
      var next: [String] = []
      for base in found {
        if isPattern(component) {
          let folder = base.isEmpty ? "." : base
          guard try FileSystem.status(folder)?.kind == .directory else { continue }
          for name in try FileSystem.names(in: folder) where matches(name, component) {
            next.append(Path.join(base, name))
          }
        } else {
          let path = Path.join(base, component)
          let exists = try FileSystem.status(path) != nil
          if exists || index < components.count - 1 { next.append(path) }
        }
      }
      found = next
    }
    return found
  }

  /// Whether `name` matches `pattern` as a whole. O(name × pattern) at worst.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    let name = Array(name.utf8)
    let pattern = Array(pattern.utf8)
    if name.first == 0x2E && pattern.first != 0x2E { return false }
    var (n, p) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while n < name.count {
      if p < pattern.count, pattern[p] == 0x2A {
        star = (p + 1, n)
        p += 1
      } else if p < pattern.count, pattern[p] == 0x3F || pattern[p] == name[n] {
        n += 1
        p += 1
      } else if let (afterStar, from) = star {
        star = (afterStar, from + 1)
        p = afterStar
        n = from + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == 0x2A }
  }
}
