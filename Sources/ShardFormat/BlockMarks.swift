internal import CSystemSupport

/// A mark for each block that was found to have its checksum. Any thread may set and read one; no order is kept between a mark
/// and other memory, so it only spares work that would come to the same.
struct BlockMarks: @unchecked Sendable {
  private final class Storage: @unchecked Sendable {
    let marks: UnsafeMutablePointer<UInt8>

    init(_ count: Int) {
      marks = .allocate(capacity: count)
      marks.initialize(repeating: 0, count: count)
    }

    deinit { marks.deallocate() }
  }

  private let storage: Storage
  // Beside the object that owns it: reading a mark then touches nothing else.
  private let marks: UnsafeMutablePointer<UInt8>

  /// A byte for each of `count` blocks.
  init(count: Int) {
    storage = Storage(max(count, 1))
    marks = storage.marks
  }

  /// Requires: 0 ≤ block < count.
  @inline(__always)
  func isSet(_ block: Int) -> Bool { csystem_mark_get(marks + block) != 0 }

  /// Requires: 0 ≤ block < count.
  @inline(__always)
  func set(_ block: Int) { csystem_mark_set(marks + block) }
}

extension UnsafeRawPointer {
  /// Asks for `lines` cache lines of 64 bytes from here on: the waits for them then overlap.
  @inline(__always)
  func prefetch(lines: Int) {
    for line in 0..<lines { csystem_prefetch(self + line &* 64) }
  }
}
