internal import CallDirectory
internal import Digests
internal import ShardFormat
internal import SystemSupport

/// Writes the sections of the balanced profile from a plain shard. Memory is that of `RepeatedLabels`, 20 bytes a block and
/// about 1 MB; the plain shard is mapped and walked three times. One thread; several encoders may run at a time.
final class BalancedEncoder {
  /// A label has a byte the dictionary has no code for.
  struct Unwritable: Error {}

  private typealias Head = CodedLabels.Head

  private let shard: Shard
  private let dictionary: PhraseDictionary
  private let parser: PhraseParser
  private let repeated: RepeatedLabels
  private let phraseCodes: [PhraseCode]
  private let phraseCount: Int
  private let headCode: CanonicalCode
  private var place = 0

  /// A phrase's code in one context, and the context after it.
  private struct PhraseCode {
    var bits: UInt16
    var length: UInt8
    var nextContext: UInt8
  }

  // The block that is being filled.
  private var numbers = [Int64](repeating: 0, count: ShardLayout.rowsPerBlock)
  private var count = 0
  private var blocked = ShardRowFlags.none
  private var identified = ShardRowFlags.none
  private var coded = CodedNumbers()
  private var stream = BitWriter()
  private var frame = BitWriter()
  private var spanEnds: [Int] = []
  private var blockNumbers: [UInt64] = []
  private var blockOffsets: [UInt64] = []
  private var blockChecksums: [UInt32] = []

  /// Requires: `shard` is plain. Throws `Unwritable`, or a `ShardError` when it is damaged.
  init(_ shard: Shard, _ dictionary: PhraseDictionary) throws {
    self.shard = shard
    self.dictionary = dictionary
    parser = dictionary.makeParser()
    repeated = try RepeatedLabels(shard, parser)
    let list = dictionary.list
    phraseCount = list.phrases.count
    phraseCodes = list.lengths.flatMap { lengths -> [PhraseCode] in
      let bits = CanonicalCode(lengths: lengths)?.bits ?? []
      return bits.indices.map {
        PhraseCode(bits: bits[$0], length: lengths[$0], nextContext: list.phrases[$0].nextContext)
      }
    }
    // Both of the first heads always have a code: a complete code needs two.
    var weights = [UInt64](repeating: 0, count: Head.symbols)
    weights[Head.same] = UInt64(repeated.sameCount) * 16 + 1
    weights[Head.inline] = 1
    for rank in repeated.ranks { weights[Self.head(of: rank)] += 16 }
    let lengths = CodeLengths.lengths(weights: weights, limit: Head.longestCode)
    guard let code = CanonicalCode(lengths: lengths) else { throw Unwritable() }
    headCode = code
  }

  deinit {
    stream.deallocate()
    frame.deallocate()
  }

  private static func head(of rank: Int32) -> Int {
    rank < 0 ? Head.inline : Head.reference + 31 - (UInt32(bitPattern: rank) + 1).leadingZeroBitCount
  }

  /// Writes all sections. Throws as `init` does, and the system's error.
  func write(to output: ShardOutput) throws -> [ShardSection] {
    var sections: [ShardSection] = []
    try output.beginSection()
    try output.write(dictionary.bytes)
    sections.append(output.endSection(.phraseDictionary))
    try output.beginSection()
    try writeRepeated(to: output)
    sections.append(output.endSection(.repeatedLabels))
    try output.beginSection()
    try writeBlocks(to: output)
    sections.append(output.endSection(.codedBlocks))
    // Both ascend: the last one is the widest.
    let numberWidth = Self.byteCount(of: blockNumbers.last ?? 0)
    let offsetWidth = Self.byteCount(of: blockOffsets.last ?? 0)
    try output.beginSection()
    try output.write(UInt64(numberWidth | offsetWidth << 8), byteCount: ShardContent.indexHeadBytes)
    for (number, offset) in zip(blockNumbers, blockOffsets) {
      try output.write(number, byteCount: numberWidth)
      try output.write(offset, byteCount: offsetWidth)
    }
    sections.append(output.endSection(.blockIndex))
    try output.beginSection()
    for checksum in blockChecksums { try output.write(UInt64(checksum), byteCount: 4) }
    sections.append(output.endSection(.blockChecksums))
    return sections
  }

  private static func byteCount(of value: UInt64) -> Int { max(1, (64 - value.leadingZeroBitCount + 7) / 8) }

  private func writeRepeated(to output: ShardOutput) throws {
    typealias Layout = CodedLabels.Repeated
    var offsets: [UInt64] = []
    stream.reset()
    for (rank, label) in repeated.labels.enumerated() {
      if rank % Layout.labelsPerOffset == 0 {
        stream.align()
        offsets.append(UInt64(stream.byteCount))
      }
      try writePhrases(of: label)
    }
    stream.align()
    let width = Self.byteCount(of: offsets.last ?? 0)
    guard width <= 4 else { throw Unwritable() }
    try output.write(UInt64(repeated.labels.count), byteCount: 4)
    try output.write(UInt64(width), byteCount: 4)
    for symbol in stride(from: 0, to: Head.symbols, by: 2) {
      try output.write(UInt64(headCode.lengths[symbol] | headCode.lengths[symbol + 1] << 4), byteCount: 1)
    }
    for offset in offsets { try output.write(offset, byteCount: width) }
    try output.write(UnsafeRawBufferPointer(start: stream.bytes, count: stream.byteCount))
  }

  @inline(__always)
  private func writePhrases(of label: UnsafeRawBufferPointer) throws {
    guard let parsed = parser.parse(label)?.phrases else { throw Unwritable() }
    phraseCodes.withUnsafeBufferPointer { codes in
      var context = 0
      for phrase in parsed {
        let code = codes[context &* phraseCount &+ Int(phrase)]
        stream.append(UInt64(code.bits), Int(code.length))
        context = Int(code.nextContext)
      }
    }
  }

  // MARK: Blocks

  private func writeBlocks(to output: ShardOutput) throws {
    let start = output.position
    let cursor = shard.makeCursor()
    var previous = UnsafeRawBufferPointer(start: nil, count: 0)
    stream.reset()
    while let entry = try cursor.next() {
      if count == ShardLayout.rowsPerBlock { try seal(to: output, start) }
      let row = count
      count += 1
      numbers[row] = entry.number.rawValue
      if entry.isBlocked { blocked.insert(row) }
      if row & 7 == 0 {
        if row > 0 { spanEnds.append(stream.bitCount) }
        previous = UnsafeRawBufferPointer(start: nil, count: 0)
      }
      guard let label = entry.label else { continue }
      identified.insert(row)
      if RepeatedLabels.isEqual(label, previous) {
        writeHead(Head.same)
      } else {
        let rank = repeated.ranks[place]
        place += 1
        let head = Self.head(of: rank)
        writeHead(head)
        if rank < 0 {
          try writePhrases(of: label)
        } else {
          let width = head - Head.reference
          stream.append(UInt64(rank) + 1 - (1 << UInt64(width)), width)
        }
      }
      previous = label
    }
    if count > 0 { try seal(to: output, start) }
  }

  @inline(__always)
  private func writeHead(_ head: Int) { stream.append(UInt64(headCode.bits[head]), Int(headCode.lengths[head])) }

  private func seal(to output: ShardOutput, _ start: Int) throws {
    numbers.withUnsafeBufferPointer { coded.choose($0.baseAddress!, count: count) }
    let isLabelled = identified.count(in: count) > 0
    var spanWidth = 0
    if isLabelled {
      var before = 0
      for end in spanEnds {
        spanWidth = max(spanWidth, Int.bitWidth - (end - before).leadingZeroBitCount)
        before = end
      }
    }
    writeFrame(spanWidth)
    if isLabelled {
      var before = 0
      for end in spanEnds {
        frame.append(UInt64(end - before), spanWidth)
        before = end
      }
      frame.align()
      stream.align()
    }
    let total = frame.byteCount + (isLabelled ? stream.byteCount : 0)
    blockNumbers.append(UInt64(bitPattern: numbers[0]))
    blockOffsets.append(UInt64(output.position - start))
    let target = try output.room(total)
    target.copyMemory(from: frame.bytes, byteCount: frame.byteCount)
    if isLabelled { (target + frame.byteCount).copyMemory(from: stream.bytes, byteCount: stream.byteCount) }
    blockChecksums.append(CRC32C.checksum(of: UnsafeRawBufferPointer(start: target, count: total)))
    output.advance(total)
    count = 0
    blocked = .none
    identified = .none
    spanEnds.removeAll(keepingCapacity: true)
    stream.reset()
  }

  /// Writes what stands before the lengths of spans.
  private func writeFrame(_ spanWidth: Int) {
    let highBytes = coded.highBytes(count)
    let (blockedKind, identifiedKind) = (membership(blocked), membership(identified))
    frame.reset()
    frame.append(UInt64(coded.lowWidth), 6)
    frame.append(UInt64(coded.cuts.count), 7)
    frame.append(UInt64(highBytes), 10)
    frame.append(UInt64(coded.cutWidth - 1), 3)
    frame.append(blockedKind.rawValue, 3)
    frame.append(identifiedKind.rawValue, 3)
    frame.append(UInt64(spanWidth), 8)
    for row in coded.cuts {
      frame.append(UInt64(row), 8)
      let offset = UInt64(bitPattern: numbers[row]) &- UInt64(bitPattern: numbers[0])
      for byte in 0..<coded.cutWidth { frame.append(offset >> UInt64(8 * byte) & 0xFF, 8) }
    }
    let width = UInt64(coded.lowWidth)
    var bit = 0
    for row in 1..<max(count, 1) {
      // The row's one stands behind as many zeros as its high part says, and the ones of the rows before it.
      let one = Int(coded.places[row] >> width) + row - 1
      var zeros = one - bit
      while zeros >= 32 {
        frame.append(0, 32)
        zeros -= 32
      }
      frame.append(1 << UInt64(zeros), zeros + 1)
      bit = one + 1
    }
    frame.align()
    for row in 1..<max(count, 1) { frame.append(coded.places[row] & ((1 << width) - 1), coded.lowWidth) }
    frame.align()
    write(blocked, blockedKind)
    write(identified, identifiedKind)
  }

  private func membership(_ flags: ShardRowFlags) -> CodedBlock.Membership {
    let members = flags.count(in: count)
    if members == 0 { return .none }
    if members == count { return .all }
    let bitmapBytes = (count + 7) / 8
    if members + 1 < bitmapBytes { return .listed }
    return count - members + 1 < bitmapBytes ? .allButListed : .bitmap
  }

  private func write(_ flags: ShardRowFlags, _ membership: CodedBlock.Membership) {
    switch membership {
    case .none, .all: break
    case .bitmap:
      for row in 0..<count { frame.append(flags[row] ? 1 : 0, 1) }
      frame.align()
    case .listed, .allButListed:
      let rows = (0..<count).filter { flags[$0] == (membership == .listed) }
      frame.append(UInt64(rows.count), 8)
      for row in rows { frame.append(UInt64(row), 8) }
    }
  }
}
