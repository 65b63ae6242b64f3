/// Texts numbered in the order they were first seen. Open addressing over one block of bytes: no allocation per look-up.
struct ByteStringTable {
  /// Bytes of all texts.
  private(set) var bytes: [UInt8] = []
  /// Where each text ends in `bytes`.
  private var ends: [Int] = []
  /// Hash slots: 0 for empty, else index + 1. A power of two, at most half full.
  private var slots = [UInt32](repeating: 0, count: 64)

  /// How many texts there are.
  var count: Int { ends.count }

  /// The index of `text`, or nil.
  func index(of text: UnsafeRawBufferPointer) -> Int? {
    let slot = slots[slot(of: text)]
    return slot == 0 ? nil : Int(slot) - 1
  }

  /// Adds a text that is not there. Requires: `index(of: text)` is nil.
  mutating func insert(_ text: UnsafeRawBufferPointer) {
    if (count + 1) * 2 > slots.count { grow() }
    let place = slot(of: text)
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    slots[place] = UInt32(count)
  }

  /// The text with an index.
  func withText<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start(index)..<ends[index]])) }
  }

  private func start(_ index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

  /// The slot that holds `text`, or the empty one where it would go.
  private func slot(of text: UnsafeRawBufferPointer) -> Int {
    let mask = slots.count - 1
    var position = Int(truncatingIfNeeded: Self.hash(text)) & mask
    while slots[position] != 0 {
      if withText(Int(slots[position]) - 1, { ByteSearch.isEqual($0, text) }) { return position }
      position = (position + 1) & mask
    }
    return position
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for index in 0..<count {
      let place: Int = withText(index) { slot(of: $0) }
      slots[place] = UInt32(index + 1)
    }
  }

  /// Eight bytes at a time, multiplied by an odd constant (the golden ratio) and folded, so that the low bits depend on
  /// all.
  private static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(text.count)
    var position = 0
    while position + 8 <= text.count {
      hash = mixed(hash ^ text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      position += 8
    }
    var rest: UInt64 = 0
    while position < text.count {
      rest = rest << 8 | UInt64(text[position])
      position += 1
    }
    return mixed(hash ^ rest)
  }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 29
  }
}
