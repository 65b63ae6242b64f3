/// Which lines of a list are comments.
enum CommentRule: Sendable {
  case none
  /// Lines that begin with `#`.
  case hash
  /// Lines that begin with `#` and a blank, or are nothing but `#`: in a list of patterns `#` stands for a digit. A
  /// remark without the blank is refused as a pattern rather than lost.
  case hashAndBlank

  /// Whether `line`, which has no blanks around it, is a comment. Requires: not empty.
  @inline(__always)
  func isComment(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line[0] == Byte.hash, self != .none else { return false }
    return self == .hash || line.count == 1 || line[1] == Byte.space || line[1] == Byte.tab
      || line.allSatisfy { $0 == Byte.hash }
  }
}
