internal import CallDirectory
internal import SystemSupport

/// Numbers whose identification rows nobody gives a label, as ranges: noted in ascending order, looked up at random. They
/// lie in an unnamed temporary file, so that their memory does not grow with their number.
final class UnlabelledNumbers {
  private let file: OpenFile
  private let writer: FileWriter
  private var map: MappedFile?

  /// None yet; the file lies in `folder`.
  init(folder: String) throws(SystemError) {
    file = try OpenFile(temporaryIn: folder)
    writer = FileWriter(file, bufferSize: 1 << 16)
  }

  /// Bytes of a range: its first and its last number.
  private static let rangeBytes = 16

  /// Notes numbers greater than all before.
  func append(_ numbers: ClosedRange<PhoneNumber>) throws(SystemError) {
    try writer.write(numbers.lowerBound.rawValue)
    try writer.write(numbers.upperBound.rawValue)
  }

  /// Ends the list.
  func finish() throws(SystemError) {
    try writer.flush()
    map = try MappedFile(file, .random)
  }

  /// Whether one of `numbers` is on the list. O(log n). Requires: the list is ended.
  func contains(oneOf numbers: ClosedRange<PhoneNumber>) -> Bool {
    guard let bytes = map?.bytes else { return false }
    var low = 0
    let count = bytes.count / Self.rangeBytes
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if value(bytes, middle * Self.rangeBytes + 8) < numbers.lowerBound.rawValue {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < count && value(bytes, low * Self.rangeBytes) <= numbers.upperBound.rawValue
  }

  private func value(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int64 {
    Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
  }
}
