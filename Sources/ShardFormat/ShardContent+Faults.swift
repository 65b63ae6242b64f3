extension ShardContent {
  /// The error for a damaged block, with the values that are wrong.
  func describe(_ fault: ShardBlock.Fault, block: Int, path: String) -> ShardError {
    let start = offset(of: block)
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
      case .codedHead: ("a low width of at most 56 and no unknown bits", byte(0))
      case .labels: ("labels of 1 to 65,534 bytes that end in the block", "something else")
      case .spans: ("lengths of spans that are those of the labels in them", "other lengths")
      case .numbers: ("numbers that ascend and are found where they stand", "other ones")
      case .checksum: ("the checksum of the block", "another one")
      }
    return ShardError(
      .malformed, path: path, what: "block \(block)",
      offset: start <= length ? blocksOffset + Int(start) : blocksOffset,
      expectation: expectation, found: found, fix: ShardError.replaceFile)
  }
}
