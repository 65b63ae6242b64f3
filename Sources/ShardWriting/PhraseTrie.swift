internal import ShardFormat

/// Finds the phrases a text begins with: a trie in one table, each node's children at its base plus their bytes. Never
/// changes.
final class PhraseTrie: @unchecked Sendable {
  struct Node {
    /// Where the children stand, less their bytes.
    var base: UInt32 = 0
    /// The parent; `none` for a free place.
    var parent: UInt32 = .max
    /// The phrase that is the way to this node, and the one that also ends the label.
    var phrase: UInt16 = PhraseTrie.none
    var ending: UInt16 = PhraseTrie.none
  }

  static let none = UInt16.max
  let nodes: UnsafeMutablePointer<Node>

  /// A trie over phrases, which are named by their index. Requires: fewer than 65,535, no phrase twice.
  init(_ phrases: [PhraseList.Phrase]) {
    let order = phrases.indices.sorted { phrases[$0].bytes.lexicographicallyPrecedes(phrases[$1].bytes) }
    var table = [Node](repeating: Node(), count: 1 << 10)
    table[0].parent = 0
    var lowestFree = 1
    // Ranges of `order` that share the first `depth` bytes, in order of depth: wide nodes come first.
    var queue: [(node: Int, range: Range<Int>, depth: Int)] = [(0, order.startIndex..<order.endIndex, 0)]
    var next = 0
    while next < queue.count {
      let (node, range, depth) = queue[next]
      next += 1
      var at = range.lowerBound
      while at < range.upperBound, phrases[order[at]].bytes.count == depth {
        let index = UInt16(truncatingIfNeeded: order[at])
        if phrases[order[at]].ends { table[node].ending = index } else { table[node].phrase = index }
        at += 1
      }
      var children: [(byte: Int, range: Range<Int>)] = []
      while at < range.upperBound {
        let byte = phrases[order[at]].bytes[depth]
        let start = at
        while at < range.upperBound, phrases[order[at]].bytes[depth] == byte { at += 1 }
        children.append((Int(byte), start..<at))
      }
      guard let firstByte = children.first?.byte else { continue }
      while table[lowestFree].parent != .max {
        lowestFree += 1
        if lowestFree + 512 > table.count { table += [Node](repeating: Node(), count: table.count) }
      }
      var base = max(lowestFree - firstByte, 1)
      while true {
        if base + 512 > table.count { table += [Node](repeating: Node(), count: table.count) }
        if children.allSatisfy({ table[base + $0.byte].parent == .max }) { break }
        base += 1
      }
      table[node].base = UInt32(base)
      for child in children {
        table[base + child.byte].parent = UInt32(node)
        queue.append((base + child.byte, child.range, depth + 1))
      }
    }
    // A childless node has base 0 and looks at places of other parents.
    table += [Node](repeating: Node(), count: 512)
    nodes = .allocate(capacity: table.count)
    nodes.initialize(from: table, count: table.count)
  }

  deinit { nodes.deallocate() }
}
