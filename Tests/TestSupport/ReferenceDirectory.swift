public import CallDirectory

/// A directory that stands in dictionaries.
public struct ReferenceDirectory: DirectoryReading {
  private let blocked: Set<PhoneNumber>
  private let labels: [PhoneNumber: [String]]

  /// A directory of the given lists.
  public init(blocked: Set<PhoneNumber> = [], labels: [PhoneNumber: [String]] = [:]) {
    self.blocked = blocked
    self.labels = labels
  }

  /// The lists of a reference phone's provider.
  public init(_ provider: ReferencePhone.Provider) { self.init(blocked: provider.blocked, labels: provider.labels) }

  /// Entries per family.
  public var counts: EntryCounts {
    EntryCounts(blocking: blocked.count, identification: labels.values.reduce(0) { $0 + $1.count })
  }

  /// Looks into both lists.
  public func find(_ number: PhoneNumber) -> DirectoryMatch {
    var match: DirectoryMatch = blocked.contains(number) ? .blocked : []
    if labels[number] != nil { match.insert(.identified) }
    return match
  }

  /// Gives the labels in their order.
  public func forEachLabel(of number: PhoneNumber, _ body: (UnsafeRawBufferPointer) -> Void) {
    for label in labels[number] ?? [] { Array(label.utf8).withUnsafeBytes(body) }
  }
}
