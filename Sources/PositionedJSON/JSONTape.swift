/// A parsed text: its bytes and one small node per value, in the order of the text.
///
/// Positions, key paths and decoded strings are worked out on demand from the bytes: a manifest that is read at every
/// look-up pays for them only in error messages.
final class JSONTape: Sendable {
  /// One value, or one key. A container is followed by its contents: for an object key, value, key, value ….
  struct Node: Sendable {
    /// Offset of the first byte.
    var start: UInt32
    /// Offset behind the last byte.
    var end: UInt32 = 0
    /// Index of the node behind this one and its contents.
    var next: UInt32 = 0
    /// Elements of an array, members of an object; for a string 1 when it has escapes.
    var count: UInt32 = 0
    var kind: JSONValue.Kind
  }

  let file: String?
  let bytes: [UInt8]
  let nodes: [Node]

  init(file: String?, bytes: [UInt8], nodes: [Node]) {
    self.file = file
    self.bytes = bytes
    self.nodes = nodes
  }

  /// The bytes of node `index` as they stand in the text, quotes included.
  func slice(_ index: Int) -> ArraySlice<UInt8> {
    bytes[Int(nodes[index].start)..<Int(nodes[index].end)]
  }

  /// The text of the string node `index`, escapes resolved.
  func string(_ index: Int) -> String {
    let content = slice(index).dropFirst().dropLast()
    if nodes[index].count == 0 { return String(decoding: content, as: UTF8.self) }
    return String(decoding: JSONEscapes.resolve(content), as: UTF8.self)
  }

  /// Whether the string node `index` has exactly the code points of `text`.
  func string(_ index: Int, equals text: String) -> Bool {
    let content = slice(index).dropFirst().dropLast()
    if nodes[index].count == 0 { return content.elementsEqual(text.utf8) }
    return JSONEscapes.resolve(content).elementsEqual(text.utf8)
  }

  /// Key path of node `target`: `sources[2].number`. A key has the path of its value.
  func keyPath(of target: Int) -> String {
    var path = ""
    var node = 0
    while node != target {
      let isObject = nodes[node].kind == .object
      var child = node + 1
      var position = 0
      let end = Int(nodes[node].next)
      while child < end {
        let value = isObject ? child + 1 : child
        let next = Int(nodes[value].next)
        if target < next {
          path += isObject ? JSONTape.step(string(child), first: path.isEmpty) : "[\(position)]"
          if target == child { return path }
          child = value
          break
        }
        child = next
        position += 1
      }
      node = child
    }
    return path
  }

  /// `.key`, or `["a key"]` where the bare key could be misread.
  private static func step(_ key: String, first: Bool) -> String {
    let isPlain =
      !key.isEmpty && !("0"..."9").contains(key.unicodeScalars.first ?? "0")
      && key.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0 == "$" || ($0.value >= 0x80 && $0.properties.isAlphabetic)
          || ("0"..."9").contains($0) || ("a"..."z").contains($0) || ("A"..."Z").contains($0)
      }
    guard isPlain else { return "[\(JSONExcerpt.quoted(key))]" }
    return first ? key : ".\(key)"
  }
}
