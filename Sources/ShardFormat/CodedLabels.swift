internal import CallDirectory
internal import Digests
internal import SystemSupport

/// What the labels of a balanced shard are written in: the phrase dictionary, the codes of label heads, and the labels that
/// occur more than once.
///
/// Sendable because the pointers go into a mapping and a table that are only read and outlive this value.
package struct CodedLabels: @unchecked Sendable {
  /// How the label of a row is given: the symbols of the head code.
  package enum Head {
    package static let same = 0
    package static let inline = 1
    /// The first of 30 classes of references by rank.
    package static let reference = 2
    package static let symbols = 32
    package static let longestCode = 10
  }

  /// Where the parts of the section of repeated labels stand.
  package enum Repeated {
    package static let offsetWidth = 4
    package static let headCodes = 8
    package static let offsets = 24
    package static let labelsPerOffset = 4
  }

  let table: PhraseTable
  /// What the next 10 bits begin with: symbol × 16 + code length.
  let heads: [UInt16]
  let repeatedCount: Int
  private let offsetWidth: Int
  private let offsets: UnsafeRawPointer
  private let streams: UnsafeRawPointer
  private let streamBytes: Int
  private let entries: UnsafePointer<UInt32>
  private let phrases: UnsafeRawPointer

  private static let tables = ProcessCache<PhraseTable>()

  /// Reads both sections. O(1) but for a dictionary no open shard has: that is decoded once.
  init(dictionary: UnsafeRawBufferPointer, repeated: UnsafeRawBufferPointer) throws(PhraseTable.Fault) {
    let digest = SHA256.digest(of: dictionary)
    table = try Self.tables.value(where: { $0.digest == digest }) { () throws(PhraseTable.Fault) in
      try PhraseTable(dictionary, digest: digest)
    }
    entries = UnsafePointer(table.entries)
    phrases = UnsafeRawPointer(table.phrases)
    guard repeated.count >= Repeated.offsets, let base = repeated.baseAddress else {
      throw PhraseTable.Fault(expectation: "at least \(Repeated.offsets) bytes", found: "\(repeated.count)")
    }
    repeatedCount = Int(repeated.little(0, as: UInt32.self))
    offsetWidth = Int(repeated[Repeated.offsetWidth])
    guard (1...4).contains(offsetWidth), repeated[5] == 0, repeated[6] == 0, repeated[7] == 0 else {
      throw PhraseTable.Fault(expectation: "an offset width of 1 to 4", found: "\(offsetWidth)")
    }
    let lengths = (0..<Head.symbols).map { repeated[Repeated.headCodes + $0 / 2] >> UInt8($0 % 2 * 4) & 15 }
    guard let code = CanonicalCode(lengths: lengths), lengths.allSatisfy({ $0 <= Head.longestCode }) else {
      throw PhraseTable.Fault(expectation: "complete codes of label heads", found: "other lengths")
    }
    var heads = [UInt16](repeating: 0, count: 1 << Head.longestCode)
    for (symbol, length) in code.lengths.enumerated() where length > 0 {
      for at in stride(from: Int(code.bits[symbol]), to: heads.count, by: 1 << Int(length)) {
        heads[at] = UInt16(symbol) << 4 | UInt16(length)
      }
    }
    self.heads = heads
    let offsetBytes = (repeatedCount + Repeated.labelsPerOffset - 1) / Repeated.labelsPerOffset * offsetWidth
    guard offsetBytes <= repeated.count - Repeated.offsets else {
      throw PhraseTable.Fault(expectation: "room for \(repeatedCount) labels", found: "\(repeated.count) bytes")
    }
    offsets = base + Repeated.offsets
    streams = offsets + offsetBytes
    streamBytes = repeated.count - Repeated.offsets - offsetBytes
  }

  // MARK: Labels

  /// The longest label and what a copy of a whole phrase may write behind it.
  static let labelRoom = CallLabel.maximumBytes + 2 * PhraseList.longestPhrase

  /// Reads the phrases of a label from `bit` of `base` on, which moves behind it. Gives its length; nil when it goes beyond
  /// `limit` or gets longer than `capacity`. Requires: `capacity` + 32 bytes at `target`, 8 bytes of the file behind `limit`.
  @inline(__always)
  private func decode(
    _ base: UnsafeRawPointer, _ bit: inout Int, limit: Int, _ target: UnsafeMutableRawPointer, capacity: Int
  ) -> Int? {
    guard table.contextCount > 0 else { return nil }
    var length = 0
    var context = 0
    while true {
      let entry = entry(context, base.word(bit &>> 3) &>> UInt64(truncatingIfNeeded: bit & 7))
      bit &+= Int(entry & PhraseTable.Entry.codeLength)
      guard bit <= limit else { return nil }
      let phrase = phrases + Int(entry &>> PhraseTable.Entry.phraseShift) &* PhraseList.longestPhrase
      (target + length).storeBytes(
        of: phrase.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
      length &+= Int(entry &>> PhraseTable.Entry.byteCountShift & PhraseTable.Entry.byteCount)
      guard length <= capacity else { return nil }
      if entry & PhraseTable.Entry.ends != 0 { return length }
      context = Int(entry &>> PhraseTable.Entry.contextShift & PhraseTable.Entry.context) &<< PhraseTable.directBits
    }
  }

  /// What the code is that `bits` begin with.
  @inline(__always)
  private func entry(_ context: Int, _ bits: UInt64) -> UInt32 {
    let entry = entries[context | Int(truncatingIfNeeded: bits & ((1 &<< UInt64(PhraseTable.directBits)) &- 1))]
    if entry & PhraseTable.Entry.codeLength != 0 { return entry }
    let choice = bits &>> UInt64(PhraseTable.directBits) & ((1 &<< UInt64(PhraseTable.groupBits)) &- 1)
    return entries[Int(entry &>> PhraseTable.Entry.groupShift) | Int(truncatingIfNeeded: choice)]
  }

  /// Moves `bit` behind a label. False when it goes beyond `limit`.
  @inline(__always)
  private func skip(_ base: UnsafeRawPointer, _ bit: inout Int, limit: Int) -> Bool {
    guard table.contextCount > 0 else { return false }
    var context = 0
    while true {
      let entry = entry(context, base.word(bit &>> 3) &>> UInt64(truncatingIfNeeded: bit & 7))
      bit &+= Int(entry & PhraseTable.Entry.codeLength)
      guard bit <= limit else { return false }
      if entry & PhraseTable.Entry.ends != 0 { return true }
      context = Int(entry &>> PhraseTable.Entry.contextShift & PhraseTable.Entry.context) &<< PhraseTable.directBits
    }
  }

  @inline(__always)
  private func head(_ base: UnsafeRawPointer, _ bit: inout Int) -> Int {
    let window = base.word(bit &>> 3) &>> UInt64(truncatingIfNeeded: bit & 7) & 0x3FF
    let entry = heads.withUnsafeBufferPointer { $0[Int(truncatingIfNeeded: window)] }
    bit &+= Int(entry & 15)
    return Int(entry &>> 4)
  }

  /// The rank that follows the head of a reference.
  @inline(__always)
  private func rank(_ base: UnsafeRawPointer, _ bit: inout Int, head: Int) -> Int {
    let width = head &- Head.reference
    let bits = base.word(bit &>> 3) &>> UInt64(truncatingIfNeeded: bit & 7) & ((1 &<< UInt64(width)) &- 1)
    bit &+= width
    return Int(truncatingIfNeeded: bits) &+ (1 &<< width) &- 1
  }

  /// Reads the repeated label of a rank. What is required and given is as with `decode`.
  @inline(__always)
  private func repeated(_ rank: Int, _ target: UnsafeMutableRawPointer, capacity: Int) -> Int? {
    guard rank < repeatedCount, var bit = repeatedBit(rank &>> 2) else { return nil }
    let limit = streamBytes &* 8
    for _ in 0..<(rank & 3) {
      guard skip(streams, &bit, limit: limit) else { return nil }
    }
    return decode(streams, &bit, limit: limit, target, capacity: capacity)
  }

  @inline(__always)
  private func repeatedBit(_ group: Int) -> Int? {
    let mask = UInt64.max &>> UInt64(64 &- offsetWidth &* 8)
    let offset = offsets.word(group &* offsetWidth) & mask
    return offset <= UInt64(streamBytes) ? Int(truncatingIfNeeded: offset) &* 8 : nil
  }

  /// Writes the label of an identified row of a block; nil when it is damaged or longer than `capacity`. Requires:
  /// `capacity` + 32 bytes at `target`, `row` identified. O(1): at most seven labels before it are read over.
  func label(of row: Int, in block: CodedBlock, _ target: UnsafeMutableRawPointer, capacity: Int) -> Int? {
    let span = row &>> 3
    var bit = block.labels &* 8
    for before in 0..<span { bit &+= block.spanBits(before) }
    let limit = block.byteCount &* 8
    guard bit <= limit else { return nil }
    // Where the label the row has begins: its own, or that of the row whose label it has, too.
    var kind = Head.same
    var place = 0
    var at = span &* CodedBlock.rowsPerSpan
    while true {
      if block.identified == .all || block.isIdentified(at) {
        let head = head(block.base, &bit)
        guard bit <= limit else { return nil }
        if head != Head.same {
          kind = head
          place = bit
        }
        if at == row { break }
        if head == Head.inline {
          guard skip(block.base, &bit, limit: limit) else { return nil }
        } else if head >= Head.reference {
          bit &+= head &- Head.reference
          guard bit <= limit else { return nil }
        }
      }
      at &+= 1
    }
    switch kind {
    case Head.same: return nil
    case Head.inline: return decode(block.base, &place, limit: limit, target, capacity: capacity)
    default: return repeated(rank(block.base, &place, head: kind), target, capacity: capacity)
    }
  }

  /// Writes the labels of all rows, one behind the other, and where each ends. Throws for any label that is damaged, empty
  /// or longer than 65,534 bytes, and when `checksSpans` for a length of a span that is not the one it has.
  func decodeAll(
    of block: CodedBlock, _ identified: ShardRowFlags, into buffer: LabelBuffer, ends: UnsafeMutablePointer<UInt32>,
    checksSpans: Bool = false
  ) throws(ShardBlock.Fault) {
    var bit = block.labels &* 8
    let limit = block.byteCount &* 8
    var used = 0
    var start = 0
    var length = 0
    var spanStart = bit
    for row in 0..<block.count {
      if row & 7 == 0 {
        if checksSpans, row > 0 {
          guard bit &- spanStart == block.spanBits(row &>> 3 &- 1) else { throw .spans }
          spanStart = bit
        }
        length = 0
      }
      if identified[row] {
        let target = buffer.room(behind: used)
        let head = head(block.base, &bit)
        let previous = start
        start = used
        if head == Head.inline {
          guard let decoded = decode(block.base, &bit, limit: limit, target, capacity: CallLabel.maximumBytes) else {
            throw .labels
          }
          length = decoded
        } else if head >= Head.reference {
          let rank = rank(block.base, &bit, head: head)
          guard bit <= limit, let decoded = repeated(rank, target, capacity: CallLabel.maximumBytes) else {
            throw .labels
          }
          length = decoded
        } else {
          target.copyMemory(from: target + (previous &- used), byteCount: length)
        }
        guard length > 0, bit <= limit else { throw .labels }
        used &+= length
      }
      ends[row] = UInt32(truncatingIfNeeded: used)
    }
    guard limit &- bit < 8, block.base.word(bit &>> 3) &>> UInt64(bit & 7) & ((1 &<< UInt64(limit &- bit)) &- 1) == 0
    else { throw .labelBytes }
  }

  /// Reads over all repeated labels: whether they fill the section and begin where the offsets say, each of 1 to 65,534
  /// bytes. O(bytes).
  func hasSoundRepeatedLabels(_ buffer: LabelBuffer) -> Bool {
    var bit = 0
    let limit = streamBytes * 8
    for rank in 0..<repeatedCount {
      if rank % Repeated.labelsPerOffset == 0 {
        guard endsByte(streams, &bit), repeatedBit(rank / Repeated.labelsPerOffset) == bit else { return false }
      }
      guard let length = decode(streams, &bit, limit: limit, buffer.room(behind: 0), capacity: CallLabel.maximumBytes),
        length > 0
      else { return false }
    }
    return endsByte(streams, &bit) && bit == limit
  }

  /// Goes to the next byte; false when the bits before it are not zero.
  private func endsByte(_ base: UnsafeRawPointer, _ bit: inout Int) -> Bool {
    let rest = -bit & 7
    guard rest > 0 else { return true }
    defer { bit += rest }
    return base.load(fromByteOffset: bit >> 3, as: UInt8.self) >> UInt8(bit & 7) == 0
  }
}

extension CodedBlock {
  /// Bits of a span of labels. Requires: it is not the last one.
  @inline(__always)
  func spanBits(_ span: Int) -> Int {
    let bit = span &* Int(truncatingIfNeeded: spanWidth)
    let value = base.word(spans &+ bit &>> 3) &>> UInt64(bit & 7) & ((1 &<< spanWidth) &- 1)
    return Int(truncatingIfNeeded: value)
  }
}

/// Memory for the labels of one block. Grows with the longest block it met.
final class LabelBuffer {
  private(set) var bytes: UnsafeMutableRawBufferPointer

  init() { bytes = .allocate(byteCount: 2 * CodedLabels.labelRoom, alignment: 16) }

  deinit { bytes.deallocate() }

  /// Room for a label of any length behind `used` bytes, which are kept.
  @inline(__always)
  func room(behind used: Int) -> UnsafeMutableRawPointer {
    if bytes.count &- used < CodedLabels.labelRoom { grow(used) }
    return bytes.baseAddress! + used
  }

  private func grow(_ used: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count * 2, alignment: 16)
    larger.baseAddress!.copyMemory(from: bytes.baseAddress!, byteCount: used)
    bytes.deallocate()
    bytes = larger
  }
}
