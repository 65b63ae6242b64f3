/// Cuts a stream of bytes into frames, wherever the stream is split. One buffer of fixed size, no I/O, not thread-safe.
///
/// Use: read into ``freeSpace``, tell ``advance(by:)`` how many bytes came, take frames from ``next()`` until it gives
/// nil; at the end of the stream call ``finish()``. After an error the decoder is not to be used again.
public struct FrameDecoder: ~Copyable {
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var consumed = 0

  /// A decoder with room for the longest frame and as much again (256 KiB, touched only as bytes come).
  public init() {
    buffer = .allocate(byteCount: 2 * (Frame.headerBytes + Frame.maximumPayload), alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// Where the next bytes of the stream go. Invalidates frames given before. Never empty once ``next()`` has given nil.
  public var freeSpace: UnsafeMutableRawBufferPointer {
    mutating get {
      if start == end {
        (start, end) = (0, 0)
      } else if start >= buffer.count / 2 {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[start..<end]))
        (start, end) = (0, end - start)
      }
      return UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
    }
  }

  /// Says that `count` bytes have been put into ``freeSpace``. Requires: no more than it had.
  public mutating func advance(by count: Int) {
    precondition(count >= 0 && count <= buffer.count - end, "more bytes than there was space")
    end += count
  }

  /// The next whole frame, or nil when more bytes are needed. The header is checked as soon as it is there; the payload
  /// is borrowed until ``freeSpace`` is asked for again.
  public mutating func next() throws(WireError) -> Frame? {
    let available = end - start
    guard available >= Frame.headerBytes else { return nil }
    let kindByte = buffer[start]
    guard let kind = Frame.Kind(rawValue: kindByte) else { throw error(.unknownKind, "kind") }
    guard buffer[start + 1] == 0, buffer[start + 2] == 0, buffer[start + 3] == 0 else {
      throw error(.reservedNotZero, "header")
    }
    let stated = UInt32(littleEndian: buffer.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self))
    guard stated <= UInt32(Frame.maximumPayload) else { throw error(.tooLong, "payload of \(stated) bytes") }
    let length = Frame.headerBytes + Int(stated)
    guard available >= length else { return nil }
    let payload = UnsafeRawBufferPointer(rebasing: buffer[start + Frame.headerBytes..<start + length])
    let frame = Frame(kind: kind, payload: payload, offset: consumed)
    start += length
    consumed += length
    return frame
  }

  /// Says that the stream has ended. Throws `truncated` when it ended inside a frame.
  public func finish() throws(WireError) {
    guard start == end else { throw error(.truncated, "stream ended with \(end - start) bytes of a frame") }
  }

  private func error(_ code: WireError.Code, _ field: String) -> WireError {
    WireError(code, kind: start < end ? buffer[start] : 0, offset: consumed, field: field)
  }
}
