import CallDirectory

/// Keeps what it is given, and holds the host to its promise: ascending numbers, kept labels of UTF-8.
final class CollectingSink: EntrySink {
  struct Failure: Error {}

  private(set) var blocking: [Int64] = []
  private(set) var identification: [Int64] = []
  private(set) var labels: [String] = []
  private(set) var brokenPromises = 0
  private(set) var counts = EntryCounts()
  private let keepsEntries: Bool
  private let failsAfter: Int
  private var last: [Int64] = [0, 0]

  /// Keeps the entries, or only counts and checks them; throws after `failsAfter` of them.
  init(keepsEntries: Bool = true, failsAfter: Int = .max) {
    self.keepsEntries = keepsEntries
    self.failsAfter = failsAfter
  }

  func addBlocking(_ number: PhoneNumber) throws {
    try count(number, .blocking)
    if keepsEntries { blocking.append(number.rawValue) }
  }

  func addIdentification(_ number: PhoneNumber, label: UnsafeRawBufferPointer) throws {
    try count(number, .identification)
    guard keepsEntries else { return }
    guard CallLabel.isKept(byteCount: label.count), let text = String(validating: label, as: UTF8.self) else {
      brokenPromises += 1
      return
    }
    identification.append(number.rawValue)
    labels.append(text)
  }

  private func count(_ number: PhoneNumber, _ family: EntryFamily) throws {
    if counts.total >= failsAfter { throw Failure() }
    if number.rawValue <= last[Int(family.rawValue)] { brokenPromises += 1 }
    last[Int(family.rawValue)] = number.rawValue
    counts[family] += 1
  }
}
