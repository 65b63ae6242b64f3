/// Many short texts in one block of memory, so that taking one costs no allocation and no reference count.
struct BytePool {
  private var bytes: [UInt8] = []
  private var starts: [UInt32] = [0]

  init() {}

  init(_ texts: [String]) {
    for text in texts { append(text) }
  }

  var count: Int { starts.count - 1 }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    starts.append(UInt32(bytes.count))
  }

  /// The bytes of one text, valid inside `body`.
  @inline(__always)
  func write(_ index: Int, to row: RowBuffer) {
    let start = Int(starts[index])
    let end = Int(starts[index + 1])
    bytes.withUnsafeBufferPointer { row.append($0.baseAddress! + start, end - start) }
  }

  func text(_ index: Int) -> String {
    String(decoding: bytes[Int(starts[index])..<Int(starts[index + 1])], as: UTF8.self)
  }
}
