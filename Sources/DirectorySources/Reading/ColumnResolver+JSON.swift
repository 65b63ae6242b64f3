internal import PositionedJSON

extension ColumnResolver {
  /// The layout of a JSON file: every path that the source names is a column, in the order the plan's keys have.
  /// `way` is nil for a file of lines.
  func resolve(way: JSONWay?, start: Int, lineEnd: LineEnd) throws(SourceError) -> FileLayout {
    var names: [String] = []
    var paths: [JSONFieldPath] = []
    let found = try place { (reference, key) throws(SourceError) in
      guard case .name(let name) = reference else {
        throw error(
          key, "columns of a JSON file have no positions",
          hint: "name the members: \"phone\", \"location.city\", \"$key\" or \"$value\"")
      }
      let path = JSONFieldPath(name)
      if path.target == .rowName, way?.rowsAreMembers != true {
        throw error(
          key,
          "\"$key\" is the name of a row's member, but the rows are \(way == nil ? "lines" : "elements of an array")",
          hint: "name a member of the rows, or \"$value\"")
      }
      if let known = paths.firstIndex(of: path) { return known }
      names.append(name)
      paths.append(path)
      return paths.count - 1
    }
    let rows = JSONRows(tree: JSONFieldTree(paths), way: way, start: start, lineEnd: lineEnd)
    return found.layout(way == nil ? .jsonLines(rows) : .json(rows), names: names)
  }
}
