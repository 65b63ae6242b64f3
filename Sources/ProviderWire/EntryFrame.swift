public import CallDirectory

/// An `entries` frame while it fills in the child: one copy of each entry into a fixed buffer, nothing allocated per
/// entry. See ``EntryRecords`` for the layout.
public struct EntryFrame: ~Copyable {
  /// The family of all its records.
  public let family: EntryFamily
  /// Records since the last reset.
  public var count: Int { recordCount }

  @usableFromInline var recordCount = 0

  @usableFromInline let bytes: UnsafeMutableRawPointer
  @usableFromInline let capacity: Int
  @usableFromInline var used = EntryFrame.start

  @usableFromInline static let start = Frame.headerBytes + EntryRecords.headerBytes

  /// An empty frame of `family` with the longest payload. Its memory, about 128 KiB, is touched at once, so that it
  /// never shows as growth later.
  public init(_ family: EntryFamily) {
    self.family = family
    capacity = Frame.headerBytes + Frame.maximumPayload
    bytes = .allocate(byteCount: capacity, alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: capacity)
  }

  deinit { bytes.deallocate() }

  /// Appends a blocking record; false, and nothing changed, when it doesn't fit. Requires: `family` is `.blocking`.
  @inlinable
  public mutating func append(_ number: Int64) -> Bool {
    guard capacity - used >= 8 else { return false }
    bytes.storeBytes(of: number.littleEndian, toByteOffset: used, as: Int64.self)
    used += 8
    recordCount += 1
    return true
  }

  /// Appends an identification record; false, and nothing changed, when it doesn't fit. A label over 65,534 bytes is
  /// noted without its bytes. Requires: `family` is `.identification`.
  @inlinable
  public mutating func append(_ number: Int64, label: UnsafeRawBufferPointer) -> Bool {
    let isKept = label.count <= CallLabel.maximumBytes
    let length = isKept ? label.count : 0
    guard capacity - used >= 10 + length else { return false }
    bytes.storeBytes(of: number.littleEndian, toByteOffset: used, as: Int64.self)
    let stated = isKept ? UInt16(truncatingIfNeeded: length) : EntryRecords.overlong
    bytes.storeBytes(of: stated.littleEndian, toByteOffset: used + 8, as: UInt16.self)
    if length > 0, let source = label.baseAddress { (bytes + used + 10).copyMemory(from: source, byteCount: length) }
    used += 10 + length
    recordCount += 1
    return true
  }

  /// Writes the headers and gives the whole frame; valid until the next change. Requires: `count` is at least 1.
  public mutating func sealed() -> UnsafeRawBufferPointer {
    let header = UInt64(Frame.Kind.entries.rawValue) | UInt64(used - Frame.headerBytes) << 32
    bytes.storeBytes(of: header.littleEndian, as: UInt64.self)
    let records = UInt64(family.rawValue) | UInt64(count) << 32
    bytes.storeBytes(of: records.littleEndian, toByteOffset: Frame.headerBytes, as: UInt64.self)
    return UnsafeRawBufferPointer(start: bytes, count: used)
  }

  /// Empties the frame.
  public mutating func reset() {
    used = Self.start
    recordCount = 0
  }

}
