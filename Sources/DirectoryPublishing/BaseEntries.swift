internal import CallDirectory
internal import ShardPlanning

/// Where each number was in the base release: its shards walked side by side, in step with ascending numbers. Ranges stay what they
/// are. Memory is a few KiB per provider.
///
/// A shard that cannot be opened, or that turns out to be damaged, ends there: the release is about to be replaced. `problems`
/// says so. A later walk ends each shard where the first did, so that both see the same.
struct BaseEntries: ~Copyable {
  /// Where the number at hand was.
  private(set) var held = HeldPlaces.none
  /// What could not be read, a sentence each, in the order of the providers.
  private(set) var problems: [String] = []
  /// By place: how many rows and runs the walk has passed.
  private(set) var passed: [Int]

  private var cursors: [ReleaseCursor?]
  private var paths: [String]
  private var rows: [DirectoryMatch]
  private let mostRows: [Int]?
  /// By place: the first number of the row or run at hand; `Int64.max` behind the last.
  private let numbers: UnsafeMutableBufferPointer<Int64>
  /// By place: its last number.
  private let lasts: UnsafeMutableBufferPointer<Int64>
  /// The least of `numbers`.
  private var least = Int64.max
  /// The numbers behind those given last, when they have been read already, and where they were.
  private var ahead: (numbers: ClosedRange<Int64>, places: HeldPlaces)?

  /// The entries of `base`, whose shards lie in `folder`. `passed` is that of a complete earlier walk, which this one repeats.
  init(_ base: ReleaseManifest?, in folder: ReleaseFolder, repeating passed: [Int]? = nil) {
    let providers = (base?.providers ?? []).prefix(PlaceSet.capacity)
    mostRows = passed
    self.passed = Array(repeating: 0, count: providers.count)
    rows = Array(repeating: [], count: providers.count)
    paths = providers.map { folder.shardPath($0.file) }
    numbers = .allocate(capacity: providers.count)
    numbers.initialize(repeating: .max)
    lasts = .allocate(capacity: providers.count)
    lasts.initialize(repeating: .max)
    cursors = []
    for path in paths {
      do {
        cursors.append(try ReleaseCursor(path))
      } catch {
        cursors.append(nil)
        problems.append("\(error)")
      }
    }
    for place in cursors.indices { advance(place) }
    least = numbers.min() ?? .max
  }

  deinit {
    numbers.deallocate()
    lasts.deallocate()
  }

  /// Turns to the first of `rest`, and gives those from there on that were at the same places, as many as there are, whether
  /// the base has them as rows or as runs: what is written must not depend on that. Numbers ascend.
  @inline(__always)
  mutating func look(up rest: ClosedRange<PhoneNumber>) -> ClosedRange<PhoneNumber> {
    let last = turn(to: rest.lowerBound.rawValue)
    if last >= rest.upperBound.rawValue { return rest }
    return rest.lowerBound...PhoneNumber(extend(last, to: rest.upperBound.rawValue))
  }

  /// Sets `held` for `number`; gives the last number up to which the base says the same in one piece.
  @inline(__always)
  private mutating func turn(to number: Int64) -> Int64 {
    if let (numbers, places) = ahead {
      ahead = nil
      if numbers.contains(number) {
        held = places
        return numbers.upperBound
      }
    }
    if number < least {
      held = .none
      return least - 1
    }
    return find(number)
  }

  /// Goes on behind `last` as long as `held` stays what it is; gives the last number up to which it does.
  private mutating func extend(_ last: Int64, to end: Int64) -> Int64 {
    let same = held
    var last = last
    while last < end {
      let next = turn(to: last + 1)
      guard held == same else {
        // Rows are passed as they are read: what is known of the next numbers is kept for the next call.
        ahead = (last + 1...next, held)
        held = same
        return last
      }
      last = next
    }
    return min(last, end)
  }

  /// Sets `held` for `number`; gives the last number up to which it is the same.
  private mutating func find(_ number: Int64) -> Int64 {
    held = .none
    var next = Int64.max
    var same = Int64.max
    for place in numbers.indices {
      while lasts[place] < number { advance(place) }
      // A number with several labels has a row for each.
      while numbers[place] <= number, numbers[place] < .max {
        if rows[place].contains(.blocked) { held.blocking.insert(place) }
        if rows[place].contains(.identified) { held.identification.insert(place) }
        same = min(same, lasts[place])
        if lasts[place] > number { break }
        advance(place)
      }
      if numbers[place] > number { same = min(same, numbers[place] - 1) }
      next = min(next, numbers[place])
    }
    least = next
    return same
  }

  private mutating func advance(_ place: Int) {
    numbers[place] = .max
    lasts[place] = .max
    guard let cursor = cursors[place] else { return }
    if let mostRows, passed[place] >= mostRows[place] { return }
    do {
      guard let run = try cursor.nextRun() else { return }
      passed[place] += 1
      numbers[place] = run.numbers.lowerBound.rawValue
      lasts[place] = run.numbers.upperBound.rawValue
      rows[place] = run.entry.isBlocked ? .blocked : []
      if run.entry.label != nil { rows[place].insert(.identified) }
    } catch {
      cursors[place] = nil
      problems.append("\(error)")
    }
  }
}
