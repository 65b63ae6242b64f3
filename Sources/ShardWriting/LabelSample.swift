/// Different labels of a data set, chosen by their hashes: which ones does not depend on the order they come in. A phrase
/// dictionary is trained on it.
///
/// Memory is bounded: when the chosen labels take more than `capacity` bytes, half of all hashes are given up with their
/// labels. One thread at a time.
public final class LabelSample {
  private let capacity: Int
  private var threshold: UInt64 = .max
  private var text: [UInt8] = []
  private var members: [(hash: UInt64, start: UInt32, count: UInt32)] = []
  /// Open addressing by hash; 0 is a free place.
  private var seen: [UInt64]

  /// A sample of at most `capacity` bytes of labels, 4 MB when nothing is said; half as many again are needed to manage them.
  public init(capacity: Int = 4_000_000) {
    self.capacity = max(capacity, 1)
    seen = [UInt64](repeating: 0, count: 1 << 10)
  }

  /// Whether every label given is in it.
  var isComplete: Bool { threshold == .max }
  /// How many different labels there are, as far as the sample tells.
  var estimatedCount: Int {
    isComplete ? members.count : Int(clamping: UInt64(members.count) * (.max / max(threshold, 1)))
  }

  /// Takes a label, if its hash chooses it and it is not there yet. O(n), amortised.
  public func add(_ label: UnsafeRawBufferPointer) {
    let hash = LabelHash.hash(label)
    guard hash <= threshold, insert(hash) else { return }
    members.append((hash, UInt32(truncatingIfNeeded: text.count), UInt32(truncatingIfNeeded: label.count)))
    text.append(contentsOf: label)
    while text.count > capacity, members.count > 1 { halve() }
  }

  /// Calls `body` with each label, in order of their hashes.
  func forEach(_ body: (UnsafeRawBufferPointer) -> Void) {
    let ordered = members.sorted { $0.hash < $1.hash }
    text.withUnsafeBytes { text in
      for member in ordered {
        let start = Int(member.start)
        body(UnsafeRawBufferPointer(rebasing: text[start..<(start + Int(member.count))]))
      }
    }
  }

  private func insert(_ hash: UInt64) -> Bool {
    if members.count * 2 > seen.count { rebuild(size: seen.count * 2) }
    var at = Int(truncatingIfNeeded: hash) & (seen.count - 1)
    while seen[at] != 0 {
      if seen[at] == hash { return false }
      at = (at + 1) & (seen.count - 1)
    }
    seen[at] = hash
    return true
  }

  private func rebuild(size: Int) {
    seen = [UInt64](repeating: 0, count: size)
    for member in members {
      var at = Int(truncatingIfNeeded: member.hash) & (size - 1)
      while seen[at] != 0 { at = (at + 1) & (size - 1) }
      seen[at] = member.hash
    }
  }

  private func halve() {
    threshold /= 2
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count / 2)
    var keptMembers: [(hash: UInt64, start: UInt32, count: UInt32)] = []
    for member in members where member.hash <= threshold {
      keptMembers.append((member.hash, UInt32(truncatingIfNeeded: kept.count), member.count))
      kept += text[Int(member.start)..<Int(member.start + member.count)]
    }
    (text, members) = (kept, keptMembers)
    rebuild(size: seen.count)
  }
}
