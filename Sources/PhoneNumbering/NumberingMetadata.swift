/// The generated numbering tables and how they are read: in place, without initialisation, one lookup at a time.
///
/// Every number in them is written in base 92 with the characters `#` … `~`, so that a table is a string literal that
/// lies in the read-only pages of the program and costs nothing until it is touched.
enum NumberingMetadata {
  /// The two characters at `offset` as a number below 8,464.
  @inline(__always)
  static func pair(_ table: StaticString, _ offset: Int) -> Int {
    let start = table.utf8Start + offset
    return (Int(start[0]) &- 35) &* 92 &+ (Int(start[1]) &- 35)
  }

  /// The three characters at `offset` as a number below 778,688; a bit set of lengths.
  @inline(__always)
  static func mask(_ table: StaticString, _ offset: Int) -> UInt32 {
    let start = table.utf8Start + offset
    return ((UInt32(start[0]) &- 35) &* 92 &+ (UInt32(start[1]) &- 35)) &* 92 &+ (UInt32(start[2]) &- 35)
  }

  /// The character at `offset` as a number below 92.
  @inline(__always)
  static func single(_ table: StaticString, _ offset: Int) -> Int { Int(table.utf8Start[offset]) &- 35 }

  /// The main plan of a calling code, or nil for a code nobody has. Any `Int` may be asked for.
  @inline(__always)
  static func mainPlan(ofCallingCode code: Int) -> Int? {
    guard code > 0, code < 1000 else { return nil }
    let entry = pair(callingCodes, code &* 2)
    return entry == 0 ? nil : entry &- 1
  }
}
