/// The way to a field of a row, as a plan writes it.
package struct JSONFieldPath: Hashable, Sendable {
  /// What the path leads to.
  package enum Target: Hashable, Sendable {
    /// The name of the row's own member (`$key`).
    case rowName
    /// The row itself, when it is no object (`$value`).
    case rowValue
    /// A member of the row, through the members of these names.
    case member([String])
  }

  /// What the path leads to.
  package var target: Target

  /// Reads a path: names with `.` between them; a backslash makes the character behind it part of a name.
  package init(_ text: String) {
    switch text {
    case "$key": target = .rowName
    case "$value": target = .rowValue
    default: target = .member(Self.names(text))
    }
  }

  /// The names of a path; none for an empty text.
  package static func names(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    var names: [String] = []
    var name = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        name.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "." {
        names.append(String(name))
        name = String.UnicodeScalarView()
      } else {
        name.append(scalar)
      }
    }
    if isEscaped { name.append("\\") }
    names.append(String(name))
    return names
  }

  /// The path that leads to `names`, written so that `init` reads it back.
  package static func text(_ names: [String]) -> String {
    let text = names.map { name in
      var escaped = String.UnicodeScalarView()
      for scalar in name.unicodeScalars {
        if scalar == "." || scalar == "\\" { escaped.append("\\") }
        escaped.append(scalar)
      }
      return String(escaped)
    }.joined(separator: ".")
    return text == "$key" || text == "$value" ? "\\" + text : text
  }
}

/// The paths of a source's columns, joined where they begin alike.
package struct JSONFieldTree: Sendable {
  struct Node: Sendable {
    /// The column that the way to here is; negative for none.
    var slot = -1
    /// Members by name, in the order of the columns.
    var children: [(name: [UInt8], node: Int)] = []
  }

  /// The nodes; the first one is the row, the second one the row as a value.
  let nodes: [Node]
  /// The column that is the name of the row's member; negative for none.
  package let nameSlot: Int
  /// Columns.
  package let slotCount: Int
  /// Whether a column is the row's own value.
  package var hasRowValue: Bool { nodes[1].slot >= 0 }
  /// Whether a column is a member of the row.
  package var hasMembers: Bool { !nodes[0].children.isEmpty }

  /// The tree of different paths, in the order of their columns.
  package init(_ paths: [JSONFieldPath]) {
    var nodes = [Node(), Node()]
    var nameSlot = -1
    for (slot, path) in paths.enumerated() {
      switch path.target {
      case .rowName: nameSlot = slot
      case .rowValue: nodes[1].slot = slot
      case .member(let names):
        var node = 0
        for name in names.map({ Array($0.utf8) }) {
          if let child = nodes[node].children.first(where: { $0.name == name }) {
            node = child.node
          } else {
            nodes[node].children.append((name, nodes.count))
            node = nodes.count
            nodes.append(Node())
          }
        }
        nodes[node].slot = slot
      }
    }
    self.nodes = nodes
    self.nameSlot = nameSlot
    slotCount = paths.count
  }
}
