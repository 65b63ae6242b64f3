/// What a provider prints, bounded: the beginning and the end are kept, the middle is counted.
///
/// The beginning says what went wrong first, the end holds a crash's last words.
struct CapturedText {
  private let half: Int
  private var head: [UInt8] = []
  /// The last `half` bytes in a ring; `next` is where the following byte goes.
  private var tail: [UInt8] = []
  private var next = 0
  private var total = 0

  init(limit: Int) { half = max(0, limit) / 2 }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    total = total.addingReportingOverflow(bytes.count).overflow ? Int.max : total + bytes.count
    let room = min(half - head.count, bytes.count)
    head.append(contentsOf: bytes[..<room])
    guard half > 0 else { return }
    for byte in UnsafeRawBufferPointer(rebasing: bytes[room...]).suffix(half) {
      if tail.count < half {
        tail.append(byte)
      } else {
        tail[next] = byte
        next = next + 1 == half ? 0 : next + 1
      }
    }
  }

  /// The text, parts that are not UTF-8 replaced, with a line that says how much is left out.
  var text: String {
    let omitted = total - head.count - tail.count
    let end = tail[next...] + tail[..<next]
    guard omitted > 0 else { return String(decoding: head + end, as: UTF8.self) }
    return String(decoding: head, as: UTF8.self) + "\n… \(omitted) bytes left out …\n"
      + String(decoding: end, as: UTF8.self)
  }

  /// Whether the end holds `phrase`.
  func endContains(_ phrase: StaticString) -> Bool {
    let end = Array(head.suffix(half)) + Array(tail[next...] + tail[..<next])
    let needle = UnsafeBufferPointer(start: phrase.utf8Start, count: phrase.utf8CodeUnitCount)
    guard needle.count <= end.count else { return false }
    return (0...end.count - needle.count).contains { end[$0..<$0 + needle.count].elementsEqual(needle) }
  }
}
