extension ShardContent {
  /// The error for a damaged block, with the values that are wrong.
  func describe(_ fault: ShardBlock.Fault, block: Int, path: String) -> ShardError {
    let start = blockOffsets.little(block * 8, as: UInt64.self)
    let length = UInt64(blocks.count)
    func byte(_ index: UInt64) -> String {
      start <= length && index < length - start ? "\(blocks[Int(start + index)])" : "nothing"
    }
    let expected = min(ShardLayout.rowsPerBlock, rows - block * ShardLayout.rowsPerBlock)
    let (expectation, found): (String, String) =
      switch fault {
      case .offsets: ("ascending offsets up to \(length)", "\(start)")
      case .tooShort: ("room for the numbers and label ends of \(expected) rows", "fewer bytes")
      case .count: ("\(expected) rows", byte(0))
      case .numberWidth: ("a number width of 1, 2, 4 or 8", byte(1))
      case .endWidth: ("a label end width of 0, 2 or 4", byte(2))
      case .families: ("families that are none, all or some and fit the label ends", byte(3))
      case .labelBytes: ("label bytes up to the end of the block", "another length")
      case .labelEnds: ("ascending label ends", "descending ones")
      }
    return ShardError(
      .malformed, path: path, what: "block \(block)",
      offset: start <= length ? blocksOffset + Int(start) : blocksOffset,
      expectation: expectation, found: found, fix: ShardError.replaceFile)
  }
}
