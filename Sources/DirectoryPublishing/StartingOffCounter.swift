internal import CallDirectory
internal import PlanFile

/// Counts entries that move into providers that start off.
struct StartingOffCounter {
  private let providers: [ProviderID]
  /// By provider: whether phones have it.
  private let isKnown: [Bool]
  private var counts: [EntryCounts]
  private var samples: [[PhoneNumber]]
  private var block = Holder()
  private var label = Holder()

  /// Of one family of the numbers at hand: whether a provider that phones have gets it, and the first that they do not have.
  private struct Holder {
    var isKnown = false
    var new = -1
  }

  private static let sampleCount = 5

  /// A counter for phones with the providers `known`. Nil where there is nothing to count: no phones, or no provider new to
  /// them.
  init?(_ known: [ProviderID]?, _ providers: [PlanProvider]) {
    guard let known else { return nil }
    self.providers = providers.map(\.id)
    isKnown = providers.map { known.contains($0.id) }
    guard zip(providers, isKnown).contains(where: { $0.isPlanned && !$1 }) else { return nil }
    counts = Array(repeating: EntryCounts(), count: providers.count)
    samples = Array(repeating: [], count: providers.count)
  }

  /// Takes what the provider at this position gets of each of the numbers at hand.
  @inline(__always)
  mutating func take(_ provider: Int, _ entry: DirectoryEntry) {
    if entry.isBlocked { Self.note(&block, provider, isKnown[provider]) }
    if entry.label != nil { Self.note(&label, provider, isKnown[provider]) }
  }

  @inline(__always)
  private static func note(_ holder: inout Holder, _ provider: Int, _ isKnown: Bool) {
    if isKnown { holder.isKnown = true } else if holder.new < 0 || provider < holder.new { holder.new = provider }
  }

  /// Counts the numbers. `hadBlock` and `hadLabel`: whether providers had them before.
  @inline(__always)
  mutating func end(_ numbers: ClosedRange<PhoneNumber>, hadBlock: Bool, hadLabel: Bool) {
    if hadBlock, !block.isKnown, block.new >= 0 { count(numbers, block.new, .blocking) }
    if hadLabel, !label.isKnown, label.new >= 0 { count(numbers, label.new, .identification) }
    block = Holder()
    label = Holder()
  }

  private mutating func count(_ numbers: ClosedRange<PhoneNumber>, _ provider: Int, _ family: EntryFamily) {
    counts[provider][family] += DirectoryPublisher.count(numbers)
    var next = numbers.lowerBound
    // Of a number with a block and a label both are counted, one after the other.
    if let last = samples[provider].last, last >= next { next = PhoneNumber(last.rawValue + 1) }
    while samples[provider].count < Self.sampleCount, next <= numbers.upperBound {
      samples[provider].append(next)
      next = PhoneNumber(next.rawValue + 1)
    }
  }

  /// What was counted, in the order of the providers.
  func result(from origin: StartingOff.Origin) -> [StartingOff] {
    providers.indices.filter { counts[$0].total > 0 }.map {
      StartingOff(origin: origin, provider: providers[$0], entries: counts[$0], samples: samples[$0])
    }
  }
}
