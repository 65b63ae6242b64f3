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
  /// Recent answers for entries whose rows are alike, as nearly all are: for these no clauses have to be brought together.
  private var recentUniform = [Answer](repeating: .none, count: Self.recentCount)
  private var step = 0
  private var segmentStep = 0

  private static let recentCount = 256

  /// All that decides the class of an entry whose rows have one area and one source, but for where it was.
  private struct Origin {
    let source: Int
    let step: Int
    /// The first of its kind.
    let area: AreaID
    let segment: Int32
    let family: EntryFamily
    let isOfBlocked: Bool

    @inline(__always)
    func isSame(_ other: Origin) -> Bool {
      area == other.area && source == other.source && step == other.step && segment == other.segment
        && family == other.family && isOfBlocked == other.isOfBlocked
    }

    /// A value that spreads origins and places over a table.
    @inline(__always)
    func spread(_ held: PlaceSet) -> Int {
      let mixed =
        UInt64(area.rawValue) << 24 ^ UInt64(truncatingIfNeeded: source << 16 ^ step << 8) ^ held.spread.byteSwapped
        ^ UInt64(truncatingIfNeeded: segment)
      let bits = (mixed &* 0x9E37_79B9_7F4A_7C15) >> 32 ^ (family == .blocking ? 1 : 0) ^ (isOfBlocked ? 2 : 0)
      return Int(truncatingIfNeeded: bits & UInt64(Classifier.recentCount - 1))
    }
  }

  private struct Answer {
    let origin: Origin
    let index: Int32
    let held: PlaceSet

    /// No source is at this position.
    static let none = Answer(
      origin: Origin(
        source: -1, step: 0, area: AreaID(rawValue: 0), segment: 0, family: .blocking, isOfBlocked: false),
      index: -1, held: .none)
  }

  init(_ rules: PlanningRules, _ matcher: ClaimMatcher, _ segments: NumberSegments) {
    self.matcher = matcher
    self.segments = segments
    tellsBlocked = rules.providers.contains(where: \.dropsLabelsOfBlocked)
  }

  /// The class of the entry of `number` in `family`, to which `rows` come, made when it is new.
  @inline(__always)
  mutating func classify(
    _ number: PhoneNumber, _ family: EntryFamily, _ entry: MergedNumber.Family, _ rows: UnsafeBufferPointer<SourceRow>,
    _ held: PlaceSet, isBlocked: Bool
  ) -> Int {
    matcher.numbers.advance(&step, to: number.rawValue)
    let origin = Origin(
      source: entry.source, step: step, area: matcher.areaKinds[Int(entry.area.rawValue)],
      segment: segments.segment(of: number.rawValue, from: &segmentStep), family: family,
      isOfBlocked: tellsBlocked && isBlocked && family == .identification)
    guard entry.isUniform else { return find(origin, rows, held) }
    let slot = origin.spread(held)
    if recentUniform[slot].origin.isSame(origin), recentUniform[slot].held == held {
      return Int(recentUniform[slot].index)
    }
    let index = find(origin, rows, held)
    recentUniform[slot] = Answer(origin: origin, index: Int32(truncatingIfNeeded: index), held: held)
    return index
  }

  private mutating func find(_ origin: Origin, _ rows: UnsafeBufferPointer<SourceRow>, _ held: PlaceSet) -> Int {
    let set = matcher.numbers.clauses(at: origin.step).intersection(matcher.clauses(of: rows, origin.family))
    let key = EntryKey(
      family: origin.family, isOfBlocked: origin.isOfBlocked, segment: origin.segment, set: set, held: held)
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
    matcher.numbers.advance(&step, to: first)
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
