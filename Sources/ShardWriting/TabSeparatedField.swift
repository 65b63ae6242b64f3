/// How a text stands in a field of a tab-separated line: the tab, both line ends and the backslash are written as a
/// backslash and a letter.
package enum TabSeparatedField {
  /// The letter that stands for `byte` behind a backslash; nil for a byte that stands for itself.
  @inlinable
  package static func letter(for byte: UInt8) -> UInt8? {
    switch byte {
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0D: UInt8(ascii: "r")
    case 0x5C: UInt8(ascii: "\\")
    default: nil
    }
  }
}
