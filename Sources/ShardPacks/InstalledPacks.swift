internal import NameSuggestion
internal import PositionedJSON
internal import SystemSupport

/// Which packs a user has installed: `installed.json` in a provider's own folder, written by the app.
///
///     { "packs": ["Москва", "base"] }
///
/// Without the file the first set of the index is delivered. An empty list is a choice too: nothing is delivered.
public struct InstalledPacks: Hashable, Sendable {
  /// The name of the file in the provider's folder.
  public static let fileName = "installed.json"
  /// The largest file that is read, in bytes.
  static let maximumBytes = 1 << 20

  /// The names of the packs in the order of the file; nil where there is no file.
  public var chosen: [String]?
  /// The file's bytes, to tell whether it has changed; nil where there is none.
  public var bytes: [UInt8]?

  /// Reads the choice in `container` among the packs of `index`.
  ///
  /// Throws `PackError`: for a file that cannot be read, is no JSON or has other keys, and for a name that is no pack or
  /// comes twice. Line, column and the nearest name are told.
  public init(container: String, _ index: PackIndex) throws(PackError) {
    let path = Path.join(container, Self.fileName)
    do throws(SystemError) {
      bytes = try FileSystem.read(path, limit: Self.maximumBytes)
    } catch {
      guard error.isNoSuchFile else {
        throw PackError(
          .wrongChoice, path, error.isTooLarge ? "is larger than 1 MB" : error.finding, hint: Self.shape)
      }
      bytes = nil
    }
    guard let bytes else { return }
    do throws(JSONError) {
      chosen = try Self.names(JSONDocument(bytes, file: path).root.asObject(), index)
    } catch {
      throw PackError(
        .wrongChoice, "\(path):\(error.line):\(error.column)",
        error.keyPath.isEmpty ? error.message : "\(error.keyPath): \(error.message)", hint: error.hint ?? Self.shape)
    }
  }

  /// The bytes of the file in `container`, nil where there is none that can be read: whoever only wants to know whether the
  /// choice has changed.
  public static func bytes(in container: String) -> [UInt8]? {
    try? FileSystem.read(Path.join(container, fileName), limit: maximumBytes)
  }

  /// The packs that are delivered.
  public func names(_ index: PackIndex) -> [String] { chosen ?? index.standardNames }

  private static let shape = "expected { \"packs\": [\"…\", …] } with names of packs"

  private static func names(_ root: JSONObjectReader, _ index: PackIndex) throws(JSONError) -> [String] {
    try root.refuseUnknownKeys(besides: ["packs", "comment", "$schema"])
    let known = index.names
    var names: [String] = []
    for element in try root.array("packs") {
      let name = try element.asString()
      guard known.contains(name) else {
        let nearest = NearestName.find(name, among: known).map { "did you mean \"\($0)\"?" }
        throw element.error(
          "there is no pack \"\(name)\" of \(index.provider)", hint: nearest ?? "packs: \(Self.list(known))")
      }
      guard !names.contains(name) else { throw element.error("the pack \"\(name)\" comes twice", hint: "name it once") }
      names.append(name)
    }
    return names
  }

  /// The first of many names.
  static func list(_ names: [String]) -> String {
    let most = 12
    return names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
  }
}
