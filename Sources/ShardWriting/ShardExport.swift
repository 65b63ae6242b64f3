internal import CallDirectory
public import ShardFormat
public import SystemSupport

/// Shards as text.
public enum ShardExport {
  /// Writes a line for each row, ascending: `number TAB label TAB action`, without a header.
  ///
  /// The number has no `+`; the action is `identify`, `block` or `both`; a blocked number without a label has an empty one.
  /// In labels `\t`, `\n`, `\r` and `\\` stand for the tab, both line ends and the backslash. The writer is not flushed.
  /// O(entries), no allocation per row. Throws a `ShardError` when a block is damaged and the system's error when writing
  /// fails.
  public static func tsv(_ shard: Shard, to writer: FileWriter) throws {
    try withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      let cursor = shard.makeCursor()
      while let entry = try cursor.next() {
        var at = digits.count
        var rest = entry.number.rawValue.magnitude
        repeat {
          at -= 1
          digits[at] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        } while rest > 0
        try writer.write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[at...]))
        try writer.write(UInt8(ascii: "\t"))
        if let label = entry.label { try writeEscaped(label, to: writer) }
        let action: StaticString = entry.label == nil ? "\tblock\n" : entry.isBlocked ? "\tboth\n" : "\tidentify\n"
        try writer.write(UnsafeRawBufferPointer(start: action.utf8Start, count: action.utf8CodeUnitCount))
      }
    }
  }

  private static func writeEscaped(_ label: UnsafeRawBufferPointer, to writer: FileWriter) throws(SystemError) {
    var start = 0
    for (index, byte) in label.enumerated() {
      guard let letter = TabSeparatedField.letter(for: byte) else { continue }
      try writer.write(UnsafeRawBufferPointer(rebasing: label[start..<index]))
      try writer.write(UInt8(ascii: "\\"))
      try writer.write(letter)
      start = index + 1
    }
    try writer.write(UnsafeRawBufferPointer(rebasing: label[start...]))
  }
}
