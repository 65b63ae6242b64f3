#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Buffered sequential writing to an open file: one block of memory, no allocation per write.
public final class FileWriter {
  /// The file written to.
  public let file: OpenFile
  /// Bytes given so far.
  public private(set) var position = 0

  private let buffer: UnsafeMutableRawBufferPointer
  private var used = 0

  /// A writer at the descriptor's position, with `bufferSize` bytes of memory.
  public init(_ file: OpenFile, bufferSize: Int = 1 << 18) {
    self.file = file
    buffer = .allocate(byteCount: bufferSize, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// Appends `bytes`.
  @inline(__always)
  public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    if bytes.count <= buffer.count - used {
      if let source = bytes.baseAddress { memcpy(buffer.baseAddress! + used, source, bytes.count) }
      used += bytes.count
      position += bytes.count
    } else {
      try writeThrough(bytes)
    }
  }

  /// Appends the little-endian bytes of `value`.
  @inline(__always)
  public func write<I: FixedWidthInteger>(_ value: I) throws(SystemError) {
    if MemoryLayout<I>.size > buffer.count - used { try flush() }
    buffer.storeBytes(of: value.littleEndian, toByteOffset: used, as: I.self)
    used += MemoryLayout<I>.size
    position += MemoryLayout<I>.size
  }

  /// Appends the UTF-8 bytes of `text`.
  public func write(_ text: String) throws(SystemError) {
    var text = text
    let result: Result<Void, SystemError> = text.withUTF8 { bytes in
      Result { () throws(SystemError) in try write(UnsafeRawBufferPointer(bytes)) }
    }
    try result.get()
  }

  /// Hands what is buffered to the system.
  public func flush() throws(SystemError) {
    let count = used
    used = 0
    try file.write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
  }

  private func writeThrough(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try flush()
    position += bytes.count
    if bytes.count >= buffer.count {
      try file.write(bytes)
    } else {
      memcpy(buffer.baseAddress!, bytes.baseAddress!, bytes.count)
      used = bytes.count
    }
  }
}
