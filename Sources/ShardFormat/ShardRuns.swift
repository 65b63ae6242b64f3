internal import CallDirectory
internal import Digests

/// The runs of a shard: ranges that stay unexpanded, in ascending order, none of which shares a number with another one.
///
/// Sendable for the reason given at `ShardContent`. The checksum and all runs are checked when the first of them is asked
/// for; what is read afterwards lies in the section and overflows nothing.
package struct ShardRuns: @unchecked Sendable {
  private typealias Layout = ShardLayout.Run

  /// How many there are.
  let count: Int
  /// Where the section begins in the file, for messages.
  let offset: Int

  private let table: UnsafeRawPointer
  private let labels: UnsafeRawBufferPointer
  private let section: UnsafeRawBufferPointer
  private let checksum: UInt32
  /// One mark: the runs were found to be sound.
  private let isSound: BlockMarks

  /// A shard without runs.
  static let none = ShardRuns()

  private init() {
    count = 0
    offset = 0
    labels = UnsafeRawBufferPointer(start: nil, count: 0)
    section = labels
    // Never read.
    table = UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    checksum = 0
    isSound = BlockMarks(count: 0)
  }

  /// The runs of `section`. O(1).
  init(_ bytes: UnsafeRawBufferPointer, _ section: ShardSection, path: String) throws(ShardError) {
    let own = UnsafeRawBufferPointer(rebasing: bytes[section.offset..<(section.offset + section.byteCount)])
    let said = own.count < Layout.headBytes ? 0 : own.little(0, as: UInt64.self)
    guard own.count >= Layout.headBytes, let base = own.baseAddress,
      said <= UInt64((own.count - Layout.headBytes) / Layout.bytes)
    else {
      throw ShardError(
        .malformed, path: path, what: "length of section \(section.id.rawValue) (\(section.id))",
        offset: section.offset,
        expectation: "\(Layout.headBytes) bytes and \(Layout.bytes) for each of \(said) runs", found: "\(own.count)",
        fix: ShardError.replaceFile)
    }
    count = Int(said)
    offset = section.offset
    self.section = own
    table = base + Layout.headBytes
    labels = UnsafeRawBufferPointer(rebasing: own[(Layout.headBytes + count * Layout.bytes)...])
    checksum = section.checksum
    isSound = BlockMarks(count: 1)
  }

  /// Throws unless the section has its checksum and its runs are sound. O(bytes) the first time, then O(1).
  @inline(__always)
  func check(path: String) throws(ShardError) {
    if count > 0, !isSound.isSet(0) { try checkAll(path: path) }
  }

  @inline(never)
  private func checkAll(path: String) throws(ShardError) {
    func fail(_ run: Int?, _ code: ShardError.Code, _ expectation: String, _ found: String) -> ShardError {
      ShardError(
        code, path: path, what: run.map { "run \($0)" } ?? "checksum of the runs",
        offset: run.map { offset + Layout.headBytes + $0 * Layout.bytes } ?? offset, expectation: expectation,
        found: found, fix: ShardError.replaceFile)
    }
    let found = CRC32C.checksum(of: section)
    guard found == checksum else { throw fail(nil, .checksum, hex(checksum), hex(found)) }
    var last: Int64 = 0
    for run in 0..<count {
      let first = first(of: run)
      let more = Int64(
        table.loadUnaligned(fromByteOffset: run * Layout.bytes + Layout.count, as: UInt32.self).littleEndian)
      guard first > last else { throw fail(run, .malformed, "a number above \(last)", "\(first)") }
      let (end, overflow) = first.addingReportingOverflow(more - 1)
      guard more > 0, !overflow else {
        throw fail(run, .malformed, "1 to \(Int64.max - first + 1) numbers", "\(more)")
      }
      let flags = flags(of: run)
      guard flags & ~Layout.flagBlocked == 0 else { throw fail(run, .malformed, "known flags", "\(flags)") }
      let length = labelBytes(of: run)
      guard length > 0 || flags != 0 else { throw fail(run, .malformed, "a block, a label or both", "neither") }
      let start = labelOffset(of: run)
      guard CallLabel.isKept(byteCount: length) || length == 0 && start == 0, start <= UInt64(labels.count),
        UInt64(length) <= UInt64(labels.count) - start
      else {
        throw fail(
          run, .malformed, "a label of at most \(CallLabel.maximumBytes) bytes within \(labels.count)",
          "\(length) bytes at \(start)")
      }
      last = end
    }
    isSound.set(0)
  }

  // MARK: One run. Requires: 0 ≤ run < count; for all but the first number that `check` has passed.

  @inline(__always)
  func first(of run: Int) -> Int64 {
    Int64(littleEndian: table.loadUnaligned(fromByteOffset: run &* Layout.bytes, as: Int64.self))
  }

  @inline(__always)
  func numberCount(of run: Int) -> Int {
    Int(
      UInt32(littleEndian: table.loadUnaligned(fromByteOffset: run &* Layout.bytes &+ Layout.count, as: UInt32.self)))
  }

  @inline(__always)
  func last(of run: Int) -> Int64 { first(of: run) &+ Int64(numberCount(of: run) &- 1) }

  @inline(__always)
  func isBlocked(_ run: Int) -> Bool { flags(of: run) & Layout.flagBlocked != 0 }

  @inline(__always)
  func label(of run: Int) -> UnsafeRawBufferPointer? {
    let length = labelBytes(of: run)
    guard length > 0, let base = labels.baseAddress else { return nil }
    return UnsafeRawBufferPointer(start: base + Int(labelOffset(of: run)), count: length)
  }

  @inline(__always)
  func match(of run: Int) -> DirectoryMatch {
    var match: DirectoryMatch = isBlocked(run) ? .blocked : []
    if labelBytes(of: run) > 0 { match.insert(.identified) }
    return match
  }

  /// The first run that ends at or above `number`, `count` when there is none. O(log runs).
  func index(endingAtOrAbove number: Int64) -> Int {
    var low = 0
    var size = count
    while size > 0 {
      let half = size &>> 1
      if last(of: low &+ half) < number {
        low &+= half &+ 1
        size &-= half &+ 1
      } else {
        size = half
      }
    }
    return low
  }

  /// The run that has `number`; nil when none has, and when the runs are damaged. O(log runs).
  @inline(__always)
  func index(of number: Int64, path: String) -> Int? {
    guard count > 0, (try? check(path: path)) != nil else { return nil }
    let run = index(endingAtOrAbove: number)
    return run < count && first(of: run) <= number ? run : nil
  }

  @inline(__always)
  private func flags(of run: Int) -> UInt16 {
    UInt16(littleEndian: table.loadUnaligned(fromByteOffset: run &* Layout.bytes &+ Layout.flags, as: UInt16.self))
  }

  @inline(__always)
  private func labelBytes(of run: Int) -> Int {
    Int(
      UInt16(
        littleEndian: table.loadUnaligned(fromByteOffset: run &* Layout.bytes &+ Layout.labelBytes, as: UInt16.self)))
  }

  @inline(__always)
  private func labelOffset(of run: Int) -> UInt64 {
    UInt64(
      littleEndian: table.loadUnaligned(fromByteOffset: run &* Layout.bytes &+ Layout.labelOffset, as: UInt64.self))
  }
}
