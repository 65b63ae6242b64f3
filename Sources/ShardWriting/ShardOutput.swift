internal import Digests
internal import ShardFormat
internal import SystemSupport

/// The file a shard is written to: one pass from the first byte to the last, buffered, with the digest of the file and the
/// checksum of the open section taken from each buffer as it goes out.
final class ShardOutput {
  private let file: OpenFile
  private var buffer: UnsafeMutableRawBufferPointer
  private var used = 0
  private var flushed = 0
  private var hash = SHA256()
  private var sectionChecksum = CRC32C()
  /// Where the open section begins in the file; nil between sections.
  private var sectionStart: Int?
  /// Where bytes of the open section begin that are not yet in its checksum.
  private var unchecked = 0

  /// Whether the digest of the file is taken. Switched off for a file that will only be read back.
  var takesFileDigest = true

  init(_ path: String, bufferSize: Int = 1 << 18) throws(SystemError) {
    file = try OpenFile(path, .overwrite)
    buffer = .allocate(byteCount: bufferSize, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// Bytes given so far.
  var position: Int { flushed + used }

  /// At least `count` bytes to be filled and then taken by `advance`.
  @inline(__always)
  func room(_ count: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    if count > buffer.count - used { try makeRoom(count) }
    return buffer.baseAddress! + used
  }

  /// Takes `count` bytes that were filled in.
  @inline(__always)
  func advance(_ count: Int) { used += count }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    guard let source = bytes.baseAddress else { return }
    try room(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    advance(bytes.count)
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    let result = bytes.withUnsafeBytes { buffer in Result { () throws(SystemError) in try write(buffer) } }
    try result.get()
  }

  /// The lowest bytes of an integer, little-endian.
  func write(_ word: UInt64, byteCount: Int) throws(SystemError) {
    try room(8).storeBytes(of: word.littleEndian, as: UInt64.self)
    advance(byteCount)
  }

  /// Zero bytes up to the next multiple of 64.
  func align() throws(SystemError) {
    let padding = ShardLayout.aligned(position) - position
    try room(padding).initializeMemory(as: UInt8.self, repeating: 0, count: padding)
    advance(padding)
  }

  func beginSection() throws(SystemError) {
    try align()
    sectionStart = position
    sectionChecksum = CRC32C()
    unchecked = used
  }

  func endSection(_ id: ShardSection.ID, mustBeKnown: Bool = true) -> ShardSection {
    takeChecksum()
    let start = sectionStart ?? position
    sectionStart = nil
    return ShardSection(
      id: id, mustBeKnown: mustBeKnown, offset: start, byteCount: position - start, checksum: sectionChecksum.value)
  }

  /// Hands everything to the system, waits for the disk when `durable`, and gives the digest of the file.
  func finish(durable: Bool) throws(SystemError) -> SHA256Digest {
    try flush()
    if durable { try file.synchronize() }
    return hash.finish()
  }

  private func takeChecksum() {
    guard sectionStart != nil else { return }
    sectionChecksum.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[unchecked..<used]))
    unchecked = used
  }

  private func flush() throws(SystemError) {
    takeChecksum()
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<used])
    if takesFileDigest { hash.update(bytes) }
    try file.write(bytes)
    flushed += used
    used = 0
    unchecked = 0
  }

  private func makeRoom(_ count: Int) throws(SystemError) {
    try flush()
    if count > buffer.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: count, alignment: 64)
    }
  }
}
