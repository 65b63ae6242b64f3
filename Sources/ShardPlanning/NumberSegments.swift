internal import CallDirectory

/// The number line, cut where copies of providers meet.
struct NumberSegments: Sendable {
  /// First number of each segment but the first, ascending.
  let starts: [Int64]

  /// Segments between all cuts of `groups`.
  init(_ groups: [CopyGroup]) {
    starts = Set(groups.flatMap(\.cuts).map(\.rawValue)).sorted()
  }

  /// The segment of `number`. `step` is a cursor owned by the caller: O(1) amortised for ascending numbers.
  @inline(__always)
  func segment(of number: Int64, from step: inout Int) -> Int32 {
    if step > 0, number < starts[step - 1] { step = 0 }
    while step < starts.count, starts[step] <= number { step += 1 }
    return Int32(truncatingIfNeeded: step)
  }

  /// The last number of the segment that the caller's cursor is in.
  func last(of step: Int) -> Int64 { step < starts.count ? starts[step] - 1 : .max }

  /// The copy, from 0, in which a segment is at home.
  func home(of segment: Int32, in group: CopyGroup) -> Int {
    guard segment > 0 else { return 0 }
    let start = starts[Int(segment) - 1]
    return group.cuts.prefix { $0.rawValue <= start }.count
  }
}
