internal import CallDirectory
internal import ShardFormat
internal import ShardPlanning

/// Where each number was in the base release: its shards walked side by side, in step with ascending numbers. Memory is a few KiB
/// per provider.
///
/// A shard that cannot be opened, or that turns out to be damaged, ends there: the release is about to be replaced. `problems`
/// says so. A later walk ends each shard where the first did, so that both see the same.
struct BaseEntries: ~Copyable {
  /// Where the number at hand was.
  private(set) var held = HeldPlaces.none
  /// What could not be read, a sentence each, in the order of the providers.
  private(set) var problems: [String] = []
  /// By place: how many rows the walk has passed.
  private(set) var passed: [Int]

  private var cursors: [ShardCursor?]
  private var paths: [String]
  private var rows: [DirectoryMatch]
  private let mostRows: [Int]?
  /// By place: the number of the row at hand; `Int64.max` behind the last.
  private let numbers: UnsafeMutableBufferPointer<Int64>
  /// The least of `numbers`.
  private var least = Int64.max

  /// The entries of `base`, whose shards lie in `folder`. `passed` is that of a complete earlier walk, which this one repeats.
  init(_ base: ReleaseManifest?, in folder: ReleaseFolder, repeating passed: [Int]? = nil) {
    let providers = (base?.providers ?? []).prefix(PlaceSet.capacity)
    mostRows = passed
    self.passed = Array(repeating: 0, count: providers.count)
    rows = Array(repeating: [], count: providers.count)
    paths = providers.map { folder.shardPath($0.file) }
    numbers = .allocate(capacity: providers.count)
    numbers.initialize(repeating: .max)
    cursors = []
    for path in paths {
      do {
        cursors.append(try Shard(path, access: .streaming).makeCursor())
      } catch {
        cursors.append(nil)
        problems.append("\(error)")
      }
    }
    for place in cursors.indices { advance(place) }
    least = numbers.min() ?? .max
  }

  deinit { numbers.deallocate() }

  /// Turns to `number`. Numbers ascend.
  @inline(__always)
  mutating func look(up number: PhoneNumber) {
    if number.rawValue < least {
      held = .none
    } else {
      find(number.rawValue)
    }
  }

  /// Walks to the end, so that what is damaged behind the last number is known too.
  mutating func finish() {
    while least < .max { find(.max - 1) }
  }

  private mutating func find(_ number: Int64) {
    held = .none
    var next = Int64.max
    for place in numbers.indices {
      while numbers[place] < number { advance(place) }
      // A number with several labels has a row for each.
      while numbers[place] == number {
        if rows[place].contains(.blocked) { held.blocking.insert(place) }
        if rows[place].contains(.identified) { held.identification.insert(place) }
        advance(place)
      }
      next = min(next, numbers[place])
    }
    least = next
  }

  private mutating func advance(_ place: Int) {
    numbers[place] = .max
    guard let cursor = cursors[place] else { return }
    if let mostRows, passed[place] >= mostRows[place] { return }
    do {
      guard let entry = try cursor.next() else { return }
      passed[place] += 1
      numbers[place] = entry.number.rawValue
      rows[place] = entry.isBlocked ? .blocked : []
      if entry.label != nil { rows[place].insert(.identified) }
    } catch {
      cursors[place] = nil
      problems.append("\(error)")
    }
  }
}
