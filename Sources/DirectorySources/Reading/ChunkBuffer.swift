internal import SystemSupport

/// The memory one thread reads chunks into. Behind the bytes asked for lies some slack, so that a parser may put a line
/// end there and look at eight bytes at a time.
final class ChunkBuffer {
  static let slack = 64

  private(set) var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var block: MemoryBlock?

  /// Makes room for `count` bytes and the slack; what was read before is lost when it was too small.
  func reserve(_ count: Int) throws(SystemError) {
    guard bytes.count < count + Self.slack else { return }
    block = nil
    let larger = try MemoryBlock(byteCount: count + Self.slack)
    block = larger
    bytes = larger.bytes
  }
}
