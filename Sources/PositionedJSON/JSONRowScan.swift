/// Finds where rows end in a part of a large JSON text, without reading what they say: strings, escapes and brackets are
/// told apart 64 bytes at a time. Brackets are counted, not matched; who reads the rows finds what does not match.
package enum JSONRowScan {
  /// What stands where in 64 bytes; the first byte is the lowest bit.
  private struct Block {
    var quotes: UInt64 = 0
    var backslashes: UInt64 = 0
    var openings: UInt64 = 0
    var closings: UInt64 = 0
    var commas: UInt64 = 0

    @inline(__always)
    init(_ base: UnsafeRawPointer) {
      for index in 0..<8 {
        let word = JSONWord.load(base + index * 8)
        // '[' and '{', ']' and '}' differ in one bit.
        let folded = word | 0x2020_2020_2020_2020
        let shift = UInt64(index * 8)
        quotes |= JSONWord.bits(JSONWord.equal(word, 0x22)) &<< shift
        backslashes |= JSONWord.bits(JSONWord.equal(word, 0x5C)) &<< shift
        openings |= JSONWord.bits(JSONWord.equal(folded, 0x7B)) &<< shift
        closings |= JSONWord.bits(JSONWord.equal(folded, 0x7D)) &<< shift
        commas |= JSONWord.bits(JSONWord.equal(word, 0x2C)) &<< shift
      }
    }
  }

  /// What is carried from block to block.
  private struct State {
    /// All ones inside a string.
    var inString: UInt64 = 0
    /// Whether the first byte of the next block is escaped.
    var isEscaped: UInt64 = 0
    var depth = 0
    /// Offset behind the last comma between rows.
    var last: Int?
    /// Whether the brackets around the rows have closed.
    var isAtEnd = false
  }

  /// The offset behind the last comma between two rows in `bytes`, which begin with a row or with blanks before one; nil
  /// when there is none. What stands behind the end of all rows is not looked at. O(bytes), about 1 GB/s.
  package static func lastRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var state = State()
    var offset = 0
    while offset + 64 <= bytes.count {
      step(Block(base + offset), at: offset, &state)
      if state.isAtEnd { return state.last }
      offset += 64
    }
    if offset < bytes.count {
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { rest in
        for index in 0..<64 { rest[index] = offset + index < bytes.count ? bytes[offset + index] : 0x20 }
        if let padded = rest.baseAddress { step(Block(padded), at: offset, &state) }
      }
    }
    return state.last
  }

  @inline(__always)
  private static func step(_ block: Block, at offset: Int, _ state: inout State) {
    let quotes = block.quotes & ~escaped(block.backslashes, &state)
    // A bit of the prefix sum modulo two says whether a string is open at its byte.
    var strings = quotes
    strings ^= strings &<< 1
    strings ^= strings &<< 2
    strings ^= strings &<< 4
    strings ^= strings &<< 8
    strings ^= strings &<< 16
    strings ^= strings &<< 32
    strings ^= state.inString
    state.inString = 0 &- (strings &>> 63)

    let openings = block.openings & ~strings
    let closings = block.closings & ~strings
    let closed = closings.nonzeroBitCount
    // Where all closings of the block cannot reach the level of the rows, only the sum matters.
    if state.depth > closed {
      state.depth += openings.nonzeroBitCount - closed
      return
    }
    var commas = block.commas & ~strings
    var brackets = openings | closings
    while brackets != 0 {
      let bit = brackets & (0 &- brackets)
      brackets ^= bit
      if state.depth == 0 { note(commas & (bit &- 1), at: offset, &state) }
      commas &= ~(bit &- 1)
      if openings & bit != 0 {
        state.depth += 1
      } else if state.depth == 0 {
        state.isAtEnd = true
        return
      } else {
        state.depth -= 1
      }
    }
    if state.depth == 0 { note(commas, at: offset, &state) }
  }

  @inline(__always)
  private static func note(_ commas: UInt64, at offset: Int, _ state: inout State) {
    if commas != 0 { state.last = offset + 64 - commas.leadingZeroBitCount }
  }

  /// The bytes that a backslash before them escapes. In a run of backslashes every second one is escaped itself.
  @inline(__always)
  private static func escaped(_ backslashes: UInt64, _ state: inout State) -> UInt64 {
    if backslashes == 0 {
      let escaped = state.isEscaped
      state.isEscaped = 0
      return escaped
    }
    // After Langdale and Lemire, "Parsing gigabytes of JSON per second": a subtraction carries through each run.
    let odd: UInt64 = 0xAAAA_AAAA_AAAA_AAAA
    let starts = backslashes & ~state.isEscaped
    let series = ((starts &<< 1) | odd) &- starts
    let ends = series ^ odd
    let escaped = ends ^ (backslashes | state.isEscaped)
    state.isEscaped = (ends & backslashes) &>> 63
    return escaped
  }
}
