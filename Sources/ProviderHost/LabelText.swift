/// Whether the bytes of a label are text.
enum LabelText {
  /// O(n), nothing allocated.
  static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let span = bytes.bindMemory(to: UInt8.self).span
    return (try? UTF8Span(validating: span)) != nil
  }
}
