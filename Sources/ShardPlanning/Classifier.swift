internal import CallDirectory

/// Finds the class of an entry: the index of its key among all that were met.
struct Classifier {
  let matcher: ClaimMatcher
  /// The key of each class.
  private(set) var keys: [EntryKey] = []

  /// Whether classes tell labels of blocked numbers from others.
  private let tellsBlocked: Bool
  private let segments: NumberSegments
  private var known: [EntryKey: Int] = [:]
  /// Recent answers: neighbours in number order are of few classes.
  private var recent = [Int32](repeating: -1, count: Self.recentCount)
  private var step = 0
  private var segmentStep = 0

  private static let recentCount = 256

  init(_ rules: PlanningRules, _ matcher: ClaimMatcher, _ segments: NumberSegments) {
    self.matcher = matcher
    self.segments = segments
    tellsBlocked = rules.providers.contains(where: \.dropsLabelsOfBlocked)
  }

  /// The class of the entry of `number` in `family`, made when it is new.
  @inline(__always)
  mutating func classify(
    _ number: PhoneNumber, _ family: EntryFamily, _ entry: MergedNumber.Family, _ held: PlaceSet, isBlocked: Bool
  ) -> Int {
    let set = matcher.numbers.clauses(for: number.rawValue, from: &step)
      .intersection(entry.areas).intersection(entry.sources).intersection(matcher.families[Int(family.rawValue)])
    let key = EntryKey(
      family: family, isOfBlocked: tellsBlocked && isBlocked && family == .identification,
      segment: segments.segment(of: number.rawValue, from: &segmentStep), set: set, held: held)
    let slot = Int(truncatingIfNeeded: key.spread & UInt64(Self.recentCount - 1))
    let guess = Int(recent[slot])
    if guess >= 0, keys[guess] == key { return guess }
    let index = index(of: key)
    recent[slot] = Int32(truncatingIfNeeded: index)
    return index
  }

  /// How many of `numbers`, from the first on, are of one class when the first is and all have the same rows and places. Ascending
  /// from call to call, as `classify`.
  mutating func stretch(of numbers: ClosedRange<PhoneNumber>) -> Int {
    let first = numbers.lowerBound.rawValue
    _ = matcher.numbers.clauses(for: first, from: &step)
    _ = segments.segment(of: first, from: &segmentStep)
    let last = min(numbers.upperBound.rawValue, matcher.numbers.last(of: step), segments.last(of: segmentStep))
    return Int(last &- first) &+ 1
  }

  /// The class of a key, made when it is new.
  mutating func index(of key: EntryKey) -> Int {
    if let index = known[key] { return index }
    keys.append(key)
    known[key] = keys.count - 1
    return keys.count - 1
  }
}
