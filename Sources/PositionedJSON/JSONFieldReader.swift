/// Reads rows of a large JSON text, each one value, as strictly as `JSONDocument` and without allocating: the values at
/// the paths of a tree come out as bytes, everything else is only checked.
///
/// One thread at a time. What is said about a row holds until the next one is read.
package final class JSONFieldReader {
  /// What a row is.
  package enum RowKind: Sendable { case object, array, scalar }

  /// A value as text: numbers and words as written, strings without quotes and with their escapes resolved.
  package struct Field {
    /// The first byte.
    package var start: UnsafeRawPointer
    /// Behind the last byte.
    package var end: UnsafeRawPointer
  }

  private struct Node {
    var slot: Int
    var firstChild: Int
    var childCount: Int
  }

  private struct Child {
    var hash: UInt64
    var name: UnsafeRawBufferPointer
    var node: Int
  }

  private struct Level {
    var node: Int
    var firstKey: Int
    var isObject: Bool
  }

  private struct State {
    var scratch: UnsafeMutableRawPointer?
    var written = 0
    var keyCount = 0
    var keyCapacity = 64
    var valueCount = 0
    var valueCapacity = 16
    var isSuspect = false
    var checksKeys = true
    var kind = RowKind.scalar
  }

  private let nodes: UnsafeMutablePointer<Node>
  private let children: UnsafeMutablePointer<Child>
  private let names: UnsafeMutableRawPointer
  private let levels: UnsafeMutablePointer<Level>
  private let fields: UnsafeMutablePointer<Field?>
  private let hasObject: UnsafeMutablePointer<Bool>
  private let hasBeenSeen: UnsafeMutablePointer<Bool>
  private let slotCount: Int
  private let severalSlot: Int
  private let hasMembers: Bool
  /// Hashes of the keys of all open objects.
  private var keys: UnsafeMutablePointer<UInt64>
  private var values: UnsafeMutablePointer<Field>
  private var state = State()

  /// Levels of nesting a row may have.
  package let maximumDepth: Int

  /// A reader for the paths of `tree`. All values of the column `severalSlot` are kept, of every other one the first.
  package init(_ tree: JSONFieldTree, severalSlot: Int, maximumDepth: Int = JSONDocument.defaultMaximumDepth) {
    self.maximumDepth = max(1, maximumDepth)
    self.severalSlot = severalSlot
    slotCount = tree.slotCount
    hasMembers = tree.hasMembers
    nodes = .allocate(capacity: tree.nodes.count)
    children = .allocate(capacity: tree.nodes.count)
    names = .allocate(byteCount: tree.nodes.flatMap(\.children).reduce(8) { $0 + $1.name.count + 8 }, alignment: 8)
    levels = .allocate(capacity: self.maximumDepth + 1)
    fields = .allocate(capacity: slotCount + 1)
    fields.initialize(repeating: nil, count: slotCount + 1)
    hasObject = .allocate(capacity: slotCount + 1)
    hasObject.initialize(repeating: false, count: slotCount + 1)
    hasBeenSeen = .allocate(capacity: slotCount + 1)
    hasBeenSeen.initialize(repeating: false, count: slotCount + 1)
    keys = .allocate(capacity: 64)
    values = .allocate(capacity: 16)
    var count = 0
    var used = 0
    for (index, node) in tree.nodes.enumerated() {
      (nodes + index).initialize(to: Node(slot: node.slot, firstChild: count, childCount: node.children.count))
      for child in node.children {
        let name = UnsafeMutableRawBufferPointer(start: names + used, count: child.name.count)
        name.copyBytes(from: child.name)
        used += child.name.count + 8
        let key = UnsafeRawBufferPointer(name)
        (children + count).initialize(
          to: Child(hash: Self.hash(names + used - child.name.count - 8, name.count), name: key, node: child.node))
        count += 1
      }
    }
  }

  deinit {
    nodes.deallocate()
    children.deallocate()
    names.deallocate()
    levels.deallocate()
    fields.deallocate()
    hasObject.deallocate()
    hasBeenSeen.deallocate()
    keys.deallocate()
    values.deallocate()
  }

  // MARK: Results

  /// What the row is.
  package var kind: RowKind { state.kind }

  /// The first value of a column; nil where there is none, or `null`.
  @inline(__always)
  package func field(_ slot: Int) -> Field? { fields[slot] }

  /// Whether an object stands where a column leads.
  package func hasObject(_ slot: Int) -> Bool { hasObject[slot] }

  /// Values of the column that may have several.
  package var valueCount: Int { state.valueCount }

  /// One of them.
  package func value(_ index: Int) -> Field { values[index] }

  /// Takes note of what the columns of any row so far led to, and forgets it.
  package func takeSeen(_ body: (Int) -> Void) {
    for slot in 0..<slotCount where hasBeenSeen[slot] {
      body(slot)
      hasBeenSeen[slot] = false
    }
  }

  // MARK: Reading

  /// Reads the value that begins at `start` and ends before `end`; nil when it is broken. Behind `end` at least 8 bytes
  /// can be read. `scratch` has room for as many bytes as the row; resolved texts stand there.
  package func read(
    from start: UnsafeRawPointer, to end: UnsafeRawPointer, scratch: UnsafeMutableRawPointer
  ) -> UnsafeRawPointer? {
    state.checksKeys = true
    state.isSuspect = false
    state.scratch = scratch
    if let stop = scan(start, end) { return stop }
    guard state.isSuspect else { return nil }
    let text = UnsafeRawBufferPointer(start: start, count: end - start)
    guard JSONParser.firstFault(in: text, .value, maximumDepth: maximumDepth) == nil else { return nil }
    // Two different keys with the same hash.
    state.checksKeys = false
    return scan(start, end)
  }

  /// Reads a string; nil when it is broken. The bytes of its text, in `scratch` when it has escapes.
  package func readString(
    from start: UnsafeRawPointer, to end: UnsafeRawPointer, scratch: UnsafeMutableRawPointer
  ) -> (text: Field, end: UnsafeRawPointer)? {
    guard start < end, start.load(as: UInt8.self) == 0x22 else { return nil }
    var hasEscapes = false
    guard let close = Self.stringEnd(start + 1, end, &hasEscapes) else { return nil }
    guard hasEscapes else { return (Field(start: start + 1, end: close), close + 1) }
    let count = JSONEscapes.write(start + 1, close, to: scratch)
    return (Field(start: UnsafeRawPointer(scratch), end: UnsafeRawPointer(scratch) + count), close + 1)
  }

  /// Makes the value of a column that is not in the row itself.
  package func setField(_ slot: Int, _ field: Field) {
    fields[slot] = field
    hasBeenSeen[slot] = true
    if slot == severalSlot { appendValue(field) }
  }

  private func scan(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> UnsafeRawPointer? {
    for slot in 0..<slotCount {
      fields[slot] = nil
      hasObject[slot] = false
    }
    state.written = 0
    state.keyCount = 0
    state.valueCount = 0
    guard start < end else { return nil }
    let first = start.load(as: UInt8.self)
    state.kind = first == 0x7B ? .object : first == 0x5B ? .array : .scalar
    var node = first == 0x7B && hasMembers ? 0 : 1
    if node == 1, nodes[1].slot >= 0 { hasBeenSeen[nodes[1].slot] = true }
    var position = start
    var depth = 0
    while true {
      // A value begins at `position`; `node` is where the way to it leads, negative for nowhere.
      guard position < end else { return nil }
      let byte = position.load(as: UInt8.self)
      switch byte {
      case 0x7B, 0x5B:
        guard depth < maximumDepth else { return nil }
        let isObject = byte == 0x7B
        if isObject, node >= 0, nodes[node].slot >= 0 { hasObject[nodes[node].slot] = true }
        levels[depth] = Level(node: node, firstKey: state.keyCount, isObject: isObject)
        depth += 1
        position = Self.skipBlanks(position + 1, end)
        guard position < end else { return nil }
        if position.load(as: UInt8.self) == (isObject ? 0x7D : 0x5D) {
          position += 1
          depth -= 1
        } else {
          if isObject {
            guard let next = readKey(position, end, &node) else { return nil }
            position = next
          }
          continue
        }
      case 0x22:
        var hasEscapes = false
        guard let close = Self.stringEnd(position + 1, end, &hasEscapes) else { return nil }
        if node >= 0 { store(node, position + 1, close, hasEscapes) }
        position = close + 1
      case 0x2D, 0x30...0x39:
        guard let stop = Self.numberEnd(position, end) else { return nil }
        if node >= 0 { store(node, position, stop, false) }
        position = stop
      case 0x74:
        guard let stop = Self.wordEnd(position, end, "true") else { return nil }
        if node >= 0 { store(node, position, stop, false) }
        position = stop
      case 0x66:
        guard let stop = Self.wordEnd(position, end, "false") else { return nil }
        if node >= 0 { store(node, position, stop, false) }
        position = stop
      case 0x6E:
        guard let stop = Self.wordEnd(position, end, "null") else { return nil }
        position = stop
      default: return nil
      }
      // Behind a value.
      while true {
        guard depth > 0 else { return position }
        position = Self.skipBlanks(position, end)
        guard position < end else { return nil }
        let level = levels[depth - 1]
        let byte = position.load(as: UInt8.self)
        if byte == 0x2C {
          position = Self.skipBlanks(position + 1, end)
          node = level.node
          if level.isObject {
            guard let next = readKey(position, end, &node) else { return nil }
            position = next
          }
          break
        }
        guard byte == (level.isObject ? 0x7D : 0x5D) else { return nil }
        if level.isObject {
          if state.checksKeys, hasDuplicates(from: level.firstKey) {
            state.isSuspect = true
            return nil
          }
          state.keyCount = level.firstKey
        }
        position += 1
        depth -= 1
      }
    }
  }

  /// Reads a key and what stands before its value; `node`, the object's, becomes the member's.
  @inline(__always)
  private func readKey(
    _ position: UnsafeRawPointer, _ end: UnsafeRawPointer, _ node: inout Int
  ) -> UnsafeRawPointer? {
    guard position < end, position.load(as: UInt8.self) == 0x22 else { return nil }
    var hasEscapes = false
    guard let close = Self.stringEnd(position + 1, end, &hasEscapes) else { return nil }
    var start = position + 1
    var count = close - start
    if hasEscapes { (start, count) = resolve(start, close) }
    let hash = Self.hash(start, count)
    if state.keyCount == state.keyCapacity { growKeys() }
    keys[state.keyCount] = hash
    state.keyCount += 1
    if node >= 0 {
      let parent = nodes[node]
      node = -1
      for index in parent.firstChild..<parent.firstChild + parent.childCount
      where children[index].hash == hash
        && children[index].name.elementsEqual(
          UnsafeRawBufferPointer(start: start, count: count))
      {
        node = children[index].node
        if nodes[node].slot >= 0 { hasBeenSeen[nodes[node].slot] = true }
      }
    }
    let colon = Self.skipBlanks(close + 1, end)
    guard colon < end, colon.load(as: UInt8.self) == 0x3A else { return nil }
    return Self.skipBlanks(colon + 1, end)
  }

  @inline(__always)
  private func store(_ node: Int, _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ hasEscapes: Bool) {
    let slot = nodes[node].slot
    guard slot >= 0 else { return }
    guard slot == severalSlot || fields[slot] == nil else { return }
    var field = Field(start: start, end: end)
    if hasEscapes {
      let (text, count) = resolve(start, end)
      field = Field(start: text, end: text + count)
    }
    if fields[slot] == nil { fields[slot] = field }
    if slot == severalSlot { appendValue(field) }
  }

  private func appendValue(_ field: Field) {
    if state.valueCount == state.valueCapacity {
      let larger = UnsafeMutablePointer<Field>.allocate(capacity: state.valueCapacity * 2)
      larger.update(from: values, count: state.valueCount)
      values.deallocate()
      values = larger
      state.valueCapacity *= 2
    }
    values[state.valueCount] = field
    state.valueCount += 1
  }

  @inline(never)
  private func growKeys() {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: state.keyCapacity * 2)
    larger.update(from: keys, count: state.keyCount)
    keys.deallocate()
    keys = larger
    state.keyCapacity *= 2
  }

  @inline(never)
  private func resolve(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> (UnsafeRawPointer, Int) {
    guard let scratch = state.scratch else { return (start, 0) }
    let target = scratch + state.written
    let count = JSONEscapes.write(start, end, to: target)
    state.written += count
    return (UnsafeRawPointer(target), count)
  }

  /// Whether two keys of the innermost object have the same hash.
  @inline(__always)
  private func hasDuplicates(from first: Int) -> Bool {
    let count = state.keyCount - first
    if count > 16 { return hasDuplicatesSorted(from: first) }
    var isDouble = false
    for index in first..<state.keyCount {
      let key = keys[index]
      for other in first..<index where keys[other] == key { isDouble = true }
    }
    return isDouble
  }

  @inline(never)
  private func hasDuplicatesSorted(from first: Int) -> Bool {
    var slice = UnsafeMutableBufferPointer(start: keys + first, count: state.keyCount - first)
    slice.sort()
    return (1..<slice.count).contains { slice[$0] == slice[$0 - 1] }
  }
}
