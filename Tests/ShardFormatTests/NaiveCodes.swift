/// The balanced profile of the naive reader, from FileFormat.md alone: one bit after the other, one code after the other.
struct NaiveCodes {
  typealias Malformed = NaiveShard.Malformed

  private struct Bits {
    let bytes: [UInt8]
    var at: Int

    mutating func next() -> Int {
      defer { at += 1 }
      return Int(bytes[at / 8] >> UInt8(at % 8) & 1)
    }

    mutating func integer(_ count: Int) -> Int { (0..<count).reduce(0) { $0 | next() << $1 } }
  }

  /// Symbols by length and code.
  private struct Code {
    var symbols: [[Int]: Int] = [:]

    init(_ lengths: [Int]) {
      var code = 0
      for length in 1...15 {
        code <<= 1
        for (symbol, own) in lengths.enumerated() where own == length {
          symbols[[length, code]] = symbol
          code += 1
        }
      }
    }

    func read(_ bits: inout Bits) throws -> Int {
      var code = 0
      for length in 1...15 {
        code = code << 1 | bits.next()
        if let symbol = symbols[[length, code]] { return symbol }
      }
      throw Malformed(what: "code")
    }
  }

  private struct Phrase {
    var bytes: [UInt8]
    var ends: Bool
    var next: Int
  }

  private let shard: NaiveShard
  private let index: NaiveShard.Section
  private let blocks: NaiveShard.Section
  private var phrases: [Phrase] = []
  private var contexts: [Code] = []
  private var heads = Code([])
  private var repeated: [[UInt8]] = []

  init(_ shard: NaiveShard) throws {
    self.shard = shard
    func section(_ id: UInt32) throws -> NaiveShard.Section {
      guard let section = shard.sections.first(where: { $0.id == id }), section.flags == 1 else {
        throw Malformed(what: "section \(id)")
      }
      return section
    }
    index = try section(9)
    blocks = try section(4)
    readDictionary(try section(5))
    try readRepeated(try section(6))
    let checksums = try section(8)
    for block in 0..<(checksums.length / 4) {
      let (start, end) = place(block)
      guard
        NaiveShard.checksum(shard.bytes[start..<end])
          == UInt32(shard.integer(at: checksums.offset + 4 * block, bytes: 4))
      else { throw Malformed(what: "checksum of block \(block)") }
    }
  }

  private func nibbles(at offset: Int, _ count: Int) -> [Int] {
    (0..<count).map { Int(shard.bytes[offset + $0 / 2] >> UInt8($0 % 2 * 4) & 15) }
  }

  private mutating func readDictionary(_ section: NaiveShard.Section) {
    let count = shard.integer(at: section.offset, bytes: 2)
    let contextCount = Int(shard.bytes[section.offset + 2])
    let lengths = section.offset + 4 + 2 * count
    var suffix = lengths + (count + 1) / 2 * contextCount
    var before: [UInt8] = []
    for phrase in 0..<count {
      let descriptor = shard.integer(at: section.offset + 4 + 2 * phrase, bytes: 2)
      let more = descriptor >> 5 & 31
      before = Array(before.prefix(descriptor & 31)) + shard.bytes[suffix..<(suffix + more)]
      suffix += more
      phrases.append(Phrase(bytes: before, ends: descriptor >> 10 & 1 == 1, next: descriptor >> 11 & 7))
    }
    contexts = (0..<contextCount).map { Code(nibbles(at: lengths + $0 * ((count + 1) / 2), count)) }
  }

  private func label(_ bits: inout Bits) throws -> [UInt8] {
    var label: [UInt8] = []
    var context = 0
    while true {
      let phrase = phrases[try contexts[context].read(&bits)]
      label += phrase.bytes
      if phrase.ends { return label }
      context = phrase.next
    }
  }

  private mutating func readRepeated(_ section: NaiveShard.Section) throws {
    let count = shard.integer(at: section.offset, bytes: 4)
    let width = Int(shard.bytes[section.offset + 4])
    heads = Code(nibbles(at: section.offset + 8, 32))
    let streams = section.offset + 24 + width * ((count + 3) / 4)
    var bits = Bits(bytes: shard.bytes, at: 0)
    for rank in 0..<count {
      if rank % 4 == 0 {
        bits.at = 8 * (streams + shard.integer(at: section.offset + 24 + width * (rank / 4), bytes: width))
      }
      repeated.append(try label(&bits))
    }
  }

  private func place(_ block: Int) -> (start: Int, end: Int) {
    let (a, b) = (Int(shard.bytes[index.offset]), Int(shard.bytes[index.offset + 1]))
    func offset(_ block: Int) -> Int { shard.integer(at: index.offset + 8 + (a + b) * block + a, bytes: b) }
    let isLast = index.offset + 8 + (a + b) * (block + 1) == index.offset + index.length
    return (blocks.offset + offset(block), blocks.offset + (isLast ? blocks.length : offset(block + 1)))
  }

  func rows(_ count: Int) throws -> [NaiveShard.Row] {
    var rows: [NaiveShard.Row] = []
    for block in 0..<((count + 127) / 128) {
      rows += try self.rows(of: block, min(128, count - 128 * block))
    }
    return rows
  }

  private func rows(of block: Int, _ n: Int) throws -> [NaiveShard.Row] {
    let (start, end) = place(block)
    let a = Int(shard.bytes[index.offset])
    let first = shard.integer(at: index.offset + 8 + (a + Int(shard.bytes[index.offset + 1])) * block, bytes: a)
    var bits = Bits(bytes: shard.bytes, at: 8 * start)
    let (k, c, h, w) = (bits.integer(6), bits.integer(7), bits.integer(10), bits.integer(3) + 1)
    let (blocked, identified, l) = (bits.integer(3), bits.integer(3), bits.integer(5))
    guard bits.integer(3) == 0 else { throw Malformed(what: "head") }
    var cuts: [Int: Int] = [:]
    for _ in 0..<c {
      let row = bits.integer(8)
      cuts[row] = bits.integer(8 * w)
    }
    var places = [0]
    var zeros = 0
    for _ in 0..<(8 * h) {
      if bits.next() == 1 { places.append(zeros << k) } else { zeros += 1 }
    }
    guard places.count == n else { throw Malformed(what: "bitmap") }
    for row in 1..<max(n, 1) { places[row] |= bits.integer(k) }
    func align() { bits.at = (bits.at + 7) / 8 * 8 }
    align()
    var numbers: [Int] = []
    var cut: Int?
    for row in 0..<n {
      if cuts[row] != nil { cut = row }
      numbers.append(first &+ places[row] &+ (cut.map { (cuts[$0] ?? 0) &- places[$0] } ?? 0))
    }
    func members(_ kind: Int) throws -> Set<Int> {
      switch kind {
      case 0: return []
      case 1: return Set(0..<n)
      case 2:
        let members = Set((0..<n).filter { _ in bits.next() == 1 })
        align()
        return members
      case 3, 4:
        let listed = Set((0..<bits.integer(8)).map { _ in bits.integer(8) })
        return kind == 3 ? listed : Set(0..<n).subtracting(listed)
      default: throw Malformed(what: "families")
      }
    }
    let blockedRows = try members(blocked)
    let identifiedRows = try members(identified)
    var labels: [Int: [UInt8]] = [:]
    if identified != 0 {
      let spans = (0..<((n + 7) / 8 - 1)).map { _ in bits.integer(l) }
      align()
      var before: [UInt8]?
      var spanStart = bits.at
      for row in 0..<n {
        if row % 8 == 0 {
          if row > 0 {
            guard bits.at - spanStart == spans[row / 8 - 1] else { throw Malformed(what: "span") }
            spanStart = bits.at
          }
          before = nil
        }
        guard identifiedRows.contains(row) else { continue }
        let head = try heads.read(&bits)
        switch head {
        case 0: break
        case 1: before = try label(&bits)
        default: before = repeated[(1 << (head - 2)) - 1 + bits.integer(head - 2)]
        }
        guard let label = before else { throw Malformed(what: "head 0 at the start of a span") }
        labels[row] = label
      }
      align()
    }
    guard bits.at == 8 * end else { throw Malformed(what: "end of block \(block)") }
    return (0..<n).map { row in
      NaiveShard.Row(
        number: Int64(numbers[row]), isBlocked: blockedRows.contains(row),
        label: labels[row].map { String(decoding: $0, as: UTF8.self) })
    }
  }
}
