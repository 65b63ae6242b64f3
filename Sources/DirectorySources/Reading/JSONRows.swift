internal import NameSuggestion
internal import PositionedJSON
internal import Synchronization

/// What is settled once for the rows of a JSON file, and which of its columns have been met. Any thread.
final class JSONRows: Sendable {
  /// The paths of the columns.
  let tree: JSONFieldTree
  /// What stands around the rows; nil for a file of lines.
  let way: JSONWay?
  /// Offset of the first row.
  let start: Int
  /// What ends a line.
  let lineEnd: LineEnd

  private struct State {
    var hasBeenSeen: [Bool]
    var rows = 0
    var found: [FoundPath] = []
  }

  /// A path that the first rows have.
  struct FoundPath: Hashable {
    /// The name of the row's member; nil where rows have none.
    var rowName: String?
    var path: String
  }

  private let state: Mutex<State>

  init(tree: JSONFieldTree, way: JSONWay?, start: Int, lineEnd: LineEnd) {
    self.tree = tree
    self.way = way
    self.start = start
    self.lineEnd = lineEnd
    state = Mutex(State(hasBeenSeen: Array(repeating: false, count: tree.slotCount)))
  }

  /// Whether it is known what the first rows have.
  var knowsNames: Bool { state.withLock { !$0.found.isEmpty } }

  /// Takes note of `rows` more rows and of the columns they had; `found` is what the file's first rows have.
  func note(rows: Int, seen reader: JSONFieldReader, found: [FoundPath]) {
    state.withLock { state in
      state.rows += rows
      reader.takeSeen { state.hasBeenSeen[$0] = true }
      if state.found.isEmpty { state.found = found }
    }
  }

  /// B-125: a column that no row of a file has is an error that names what the rows have.
  static func checkColumns(
    _ layouts: [FileLayout?], files: [InputFile], sources: [SourceDescription]
  ) throws(SourceError) {
    for (file, layout) in zip(files, layouts) {
      guard let layout, let rows = layout.syntax.jsonRows else { continue }
      let (missing, found) = rows.state.withLock { state in
        (state.rows > 0 ? state.hasBeenSeen.firstIndex(of: false) : nil, state.found)
      }
      guard let missing else { continue }
      let source = sources[file.source]
      let paths = found.map(\.path)
      let names = paths.enumerated().filter { paths[..<$0.offset].contains($0.element) == false }.map(\.element)
      let list = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ") + (names.count > 20 ? ", …" : "")
      throw SourceError(
        .data, source: source.id, file: file.path, key: key(of: missing, layout, source),
        "no row has \"\(layout.names[missing])\"; the rows have \(list)",
        hint: hint(layout.names[missing], found, records: source.records))
    }
  }

  private static func hint(_ wanted: String, _ found: [FoundPath], records: String) -> String {
    for path in found {
      guard let name = path.rowName else { continue }
      let full = JSONFieldPath.text([name]) + "." + path.path
      guard full.hasSuffix("." + wanted) else { continue }
      let way = (records.isEmpty ? "" : records + ".") + full.dropLast(wanted.utf8.count + 1)
      return "the rows may stand deeper: set \"records\": \"\(way)\""
    }
    let paths = found.map(\.path)
    let nearest = paths.first { $0.hasSuffix("." + wanted) } ?? NearestName.find(wanted, among: paths)
    return nearest.map { "did you mean \"\($0)\"?" } ?? "use one of the names that the rows have"
  }

  /// The plan's key for a column.
  private static func key(of slot: Int, _ layout: FileLayout, _ source: SourceDescription) -> String {
    switch slot {
    case layout.columns.number:
      switch source.numbers {
      case .pattern: return "pattern"
      case .range: return "from"
      default: return "number"
      }
    case layout.columns.last: return "to"
    case layout.columns.area: return "area"
    case layout.columns.score: return "score"
    case layout.columns.action: return "action"
    case _ where layout.filters.contains(slot): return "where"
    default: return "label"
    }
  }

  /// The paths that a row has, for messages. Rows that are no objects are `$value`.
  static func paths(of row: JSONValue, rowName: String?) -> [FoundPath] {
    var found: [FoundPath] = []
    func add(_ value: JSONValue, _ names: [String]) {
      switch value.kind {
      case .object: for member in value.members { add(member.value, names + [member.key]) }
      case .array: for element in value.elements.prefix(10) { add(element, names) }
      default:
        found.append(FoundPath(rowName: rowName, path: names.isEmpty ? "$value" : JSONFieldPath.text(names)))
      }
    }
    add(row, [])
    return found
  }
}
