/// Decides which labels are dropped when there is not room for all: exactly those that a walk over all labels from the
/// highest key (`ScoreKey`) to the lowest would not find room for.
///
/// Keys are counted in buckets over a window, which is narrowed to the bucket where room runs out, walk by walk, until single keys are
/// left. Memory is a constant for each share. Labels of one share are interchangeable, so each share has one key below which all
/// is dropped; and what is dropped does not depend on how those that stay are placed (they are the greedy basis of a
/// transversal matroid).
struct ScoreSelection {
  /// Keys between two values, in which a few shares run out of room together.
  private struct Window {
    let low: UInt128
    let shift: Int
    let shares: [Int]
    var counts: [[UInt32]]
    var least: [[UInt128]]
    var greatest: [[UInt128]]

    init(_ range: ClosedRange<UInt128>, _ shares: [Int], buckets: Int) {
      low = range.lowerBound
      self.shares = shares
      var shift = 0
      while (range.upperBound - range.lowerBound) >> UInt128(shift) >= UInt128(buckets) { shift += 1 }
      self.shift = shift
      counts = shares.map { _ in Array(repeating: 0, count: buckets) }
      least = shares.map { _ in Array(repeating: UInt128.max, count: buckets) }
      greatest = shares.map { _ in Array(repeating: 0, count: buckets) }
      self.range = range
    }

    let range: ClosedRange<UInt128>

    @inline(__always)
    mutating func add(_ slot: Int, _ key: UInt128) {
      guard range.contains(key) else { return }
      let bucket = Int(truncatingIfNeeded: (key - low) >> UInt128(shift))
      counts[slot][bucket] += 1
      least[slot][bucket] = min(least[slot][bucket], key)
      greatest[slot][bucket] = max(greatest[slot][bucket], key)
    }

    /// As `add` of each of `keys`. O(buckets).
    mutating func add(_ slot: Int, _ keys: ClosedRange<UInt128>) {
      guard keys.overlaps(range) else { return }
      let keys = keys.clamped(to: range)
      var key = keys.lowerBound
      while true {
        let bucket = Int(truncatingIfNeeded: (key - low) >> UInt128(shift))
        // The last key of the bucket; the last bucket may reach beyond all keys.
        let (end, overflow) = (low + UInt128(bucket) << UInt128(shift))
          .addingReportingOverflow((1 << UInt128(shift)) - 1)
        let last = overflow ? keys.upperBound : min(end, keys.upperBound)
        counts[slot][bucket] += UInt32(truncatingIfNeeded: last - key + 1)
        least[slot][bucket] = min(least[slot][bucket], key)
        greatest[slot][bucket] = max(greatest[slot][bucket], last)
        if last == keys.upperBound { return }
        key = last + 1
      }
    }
  }

  private let shares: [PlacementShare]
  private let limits: [Int]
  private let buckets: Int
  private var windows: [Window]
  /// By share: the window it is in and its slot there; nil when it is settled.
  private var place: [(window: Int, slot: Int)?]
  /// By share: how many copies are known to stay.
  private(set) var kept: [Int]
  /// By share: the least key that stays.
  private(set) var thresholds: [UInt128]

  /// A selection among those of `shares` that may be dropped. The others have room.
  init(_ shares: [PlacementShare], limits: [Int]) {
    self.shares = shares
    self.limits = limits
    let open = shares.indices.filter { shares[$0].key.mayBeDropped && shares[$0].count > 0 }
    kept = shares.map { $0.key.mayBeDropped ? 0 : $0.count }
    thresholds = Array(repeating: 0, count: shares.count)
    buckets = min(4096, max(64, (1 << 18) / max(open.count, 1)))
    windows = []
    place = Array(repeating: nil, count: shares.count)
    self.open(Window(0...UInt128.max, open, buckets: buckets))
  }

  private mutating func open(_ window: Window) {
    for (slot, share) in window.shares.enumerated() { place[share] = (windows.count, slot) }
    windows.append(window)
  }

  /// Notes a copy of a share.
  @inline(__always)
  mutating func add(_ share: Int, _ key: UInt128) {
    guard let place = place[share] else { return }
    windows[place.window].add(place.slot, key)
  }

  /// Notes a copy of a share for each of consecutive keys.
  mutating func add(_ share: Int, _ keys: ClosedRange<UInt128>) {
    guard let place = place[share] else { return }
    windows[place.window].add(place.slot, keys)
  }

  /// Takes in what a walk over all labels noted; true when nothing is open any more.
  mutating func narrow() -> Bool {
    var network = RoomNetwork(shares, limits: limits)
    for (share, count) in kept.enumerated() where network.add(share, count) < count {
      // Blocks and labels that may not be dropped were placed by the allocation before, and what was kept fits beside them.
      assertionFailure("what is known to stay does not fit")
    }
    let noted = windows.sorted { $0.low > $1.low }
    windows = []
    place = Array(repeating: nil, count: shares.count)
    for window in noted { narrow(window, &network) }
    return windows.isEmpty
  }

  private mutating func narrow(_ window: Window, _ network: inout RoomNetwork) {
    /// Slots whose shares still find room.
    var open = Set(window.shares.indices)
    for bucket in (0..<buckets).reversed() {
      let slots = open.filter { window.counts[$0][bucket] > 0 }.sorted()
      guard !slots.isEmpty else { continue }
      let least = slots.reduce(UInt128.max) { min($0, window.least[$1][bucket]) }
      let greatest = slots.reduce(0) { max($0, window.greatest[$1][bucket]) }
      var short: [Int] = []
      var placed = Array(repeating: 0, count: window.shares.count)
      for slot in slots {
        let count = Int(window.counts[slot][bucket])
        placed[slot] = network.add(window.shares[slot], count)
        if placed[slot] < count { short.append(slot) }
      }
      guard !short.isEmpty else {
        for slot in slots { kept[window.shares[slot]] += Int(window.counts[slot][bucket]) }
        continue
      }
      // Of one number with several copies the one in front stays; `add` went in their order.
      if least == greatest {
        for slot in slots where !short.contains(slot) { kept[window.shares[slot]] += Int(window.counts[slot][bucket]) }
        for slot in short { close(window.shares[slot], below: greatest, keeps: false) }
        open.subtract(short)
        continue
      }
      let reached = network.exchangeable(with: short.map { window.shares[$0] })
      let critical = slots.filter { reached.contains(window.shares[$0]) }
      for slot in slots where !critical.contains(slot) { kept[window.shares[slot]] += Int(window.counts[slot][bucket]) }
      open.subtract(critical)
      if critical.allSatisfy({ placed[$0] == 0 }) {
        for slot in critical { close(window.shares[slot], below: window.greatest[slot][bucket], keeps: false) }
        continue
      }
      for slot in critical { close(window.shares[slot], below: least, keeps: true) }
      self.open(Window(least...greatest, critical.map { window.shares[$0] }, buckets: buckets))
    }
    for slot in open { thresholds[window.shares[slot]] = min(thresholds[window.shares[slot]], window.low) }
  }

  /// Drops what a share has below a key, and at it unless it `keeps` that.
  private mutating func close(_ share: Int, below key: UInt128, keeps: Bool) {
    thresholds[share] = keeps ? key : key == .max ? key : key + 1
  }
}
