internal import CallDirectory
internal import ShardFormat
internal import SystemSupport

/// Finds the labels of a shard that occur often enough to be kept once, and gives each place of a label the rank it refers
/// to.
///
/// A place is a label that is not the one of the labelled row before it in its span of eight rows. Memory is 16 bytes a place
/// and about 60 bytes for each repeated label.
struct RepeatedLabels {
  /// For each place in order the rank, −1 for a label written where it stands.
  private(set) var ranks: [Int32] = []
  /// The repeated labels by rank, borrowed from the shard.
  private(set) var labels: [UnsafeRawBufferPointer] = []
  /// Labelled rows that are no places.
  private(set) var sameCount = 0

  private struct Slot {
    var hash: UInt64 = 0
    var label = UnsafeRawBufferPointer(start: nil, count: 0)
    var count: Int32 = 0
    var rank: Int32 = -1
  }

  /// Calls `body` with each place of a plain shard in order, and counts the rows that are none.
  static func forEachPlace(
    _ shard: Shard, same: inout Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let cursor = shard.makeCursor()
    var previous = UnsafeRawBufferPointer(start: nil, count: 0)
    var row = 0
    while let entry = try cursor.next() {
      if row & 7 == 0 { previous = UnsafeRawBufferPointer(start: nil, count: 0) }
      row &+= 1
      guard let label = entry.label else { continue }
      if isEqual(label, previous) { same += 1 } else { try body(label) }
      previous = label
    }
  }

  @inline(__always)
  static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count, left.count > 0, let a = left.baseAddress, let b = right.baseAddress else {
      return false
    }
    var at = 0
    while at &+ 8 <= left.count {
      if a.loadUnaligned(fromByteOffset: at, as: UInt64.self) != b.loadUnaligned(fromByteOffset: at, as: UInt64.self) {
        return false
      }
      at &+= 8
    }
    while at < left.count {
      if a.load(fromByteOffset: at, as: UInt8.self) != b.load(fromByteOffset: at, as: UInt8.self) { return false }
      at &+= 1
    }
    return true
  }

  /// Walks a plain shard twice. Throws when `shard` is damaged, or a label cannot be written with `parser`.
  init(_ shard: Shard, _ parser: PhraseParser) throws {
    var hashes: [UInt64] = []
    hashes.reserveCapacity(shard.counts.identification)
    var filter = RepeatFilter(count: shard.counts.identification)
    try Self.forEachPlace(shard, same: &sameCount) { label in
      let hash = LabelHash.hash(label)
      filter.insert(hash)
      hashes.append(hash)
    }
    // Only what the filter takes for repeated is looked at closely; it errs on that side alone.
    var slots = [Slot](repeating: Slot(), count: 1 << 10)
    var used = 0
    var place = 0
    var ignored = 0
    try Self.forEachPlace(shard, same: &ignored) { label in
      let hash = hashes[place]
      place &+= 1
      guard filter.isRepeated(hash) else { return }
      if used * 2 > slots.count { Self.grow(&slots) }
      let at = Self.find(hash, in: slots)
      if slots[at].hash == 0 {
        slots[at] = Slot(hash: hash, label: label, count: 1)
        used += 1
      } else if Self.isEqual(slots[at].label, label) {
        slots[at].count &+= 1
      } else {
        // Another label with the same hash: written where it stands.
        hashes[place &- 1] = 0
      }
    }
    try rank(&slots, parser)
    ranks.reserveCapacity(hashes.count)
    for hash in hashes {
      ranks.append(hash != 0 && filter.isRepeated(hash) ? slots[Self.find(hash, in: slots)].rank : -1)
    }
  }

  /// Ranks by use those labels that take less room when they stand once.
  private mutating func rank(_ slots: inout [Slot], _ parser: PhraseParser) throws {
    let order = slots.indices.filter { slots[$0].count > 1 }.sorted {
      (slots[$1].count, slots[$0].hash) < (slots[$0].count, slots[$1].hash)
    }
    for at in order {
      let label = slots[at].label
      guard let cost = parser.parse(label)?.cost else { throw BalancedEncoder.Unwritable() }
      let bits = Int(cost)
      let uses = Int(slots[at].count)
      // A reference takes the bits of its rank and about two more for its head; a place in the list some for its offset.
      let width = Int.bitWidth - 1 - (labels.count + 1).leadingZeroBitCount
      guard bits + Self.offsetBits + uses * (width + Self.headBits) < uses * bits else { continue }
      slots[at].rank = Int32(truncatingIfNeeded: labels.count)
      labels.append(label)
    }
  }

  private static let offsetBits = 10
  private static let headBits = 2

  @inline(__always)
  private static func find(_ hash: UInt64, in slots: [Slot]) -> Int {
    let mask = slots.count - 1
    var at = Int(truncatingIfNeeded: hash) & mask
    while slots[at].hash != 0, slots[at].hash != hash { at = (at &+ 1) & mask }
    return at
  }

  private static func grow(_ slots: inout [Slot]) {
    var larger = [Slot](repeating: Slot(), count: slots.count * 2)
    for slot in slots where slot.hash != 0 { larger[find(slot.hash, in: larger)] = slot }
    slots = larger
  }
}

/// Which hashes came more than once: two bits for each of sixteen times as many places as there are hashes. Says so of some
/// that did not, never misses one.
struct RepeatFilter {
  private var once: [UInt64]
  private var twice: [UInt64]
  private let shift: UInt64

  init(count: Int) {
    let bits = max(6, Int.bitWidth - max(count, 1).leadingZeroBitCount + 3)
    once = [UInt64](repeating: 0, count: 1 << (bits - 6))
    twice = once
    shift = UInt64(64 - bits)
  }

  @inline(__always)
  mutating func insert(_ hash: UInt64) {
    let place = (hash &* 0x9E37_79B9_7F4A_7C15) &>> shift
    let (word, bit) = (Int(truncatingIfNeeded: place &>> 6), UInt64(1) &<< (place & 63))
    if once[word] & bit != 0 { twice[word] |= bit } else { once[word] |= bit }
  }

  @inline(__always)
  func isRepeated(_ hash: UInt64) -> Bool {
    let place = (hash &* 0x9E37_79B9_7F4A_7C15) &>> shift
    return twice[Int(truncatingIfNeeded: place &>> 6)] &>> (place & 63) & 1 != 0
  }
}
