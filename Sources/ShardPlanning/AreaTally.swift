public import CallDirectory

/// How many entries each area has, and which areas share entries: what a suggestion of providers is made from.
///
/// Counts what a plan would place: rows merged by number and family, cut by `allow` and `remove`. An entry of several areas is
/// counted once, under the set of them. Memory: a few words per area and, for sets of areas, a bounded amount; entries of sets that
/// come when it is used up are counted in each of their areas, and `isExact` tells. Used by one thread at a time.
public struct AreaTally: Sendable {
  /// Entries in all.
  public private(set) var entries = 0
  /// Whether every shared entry is known as such; otherwise sizes of several areas together are upper bounds.
  public private(set) var isExact = true

  /// By area id: entries that have this area and no other; index 0 counts those without any.
  private(set) var only: [Int]
  /// By area id: entries that are shared with areas that were not noted.
  private(set) var unnoted: [Int]

  private var counts: [[UInt32]: Int] = [:]
  private var notedIDs = 0
  private var set: [UInt32] = []
  private let dropsLabelsOfBlocked: Bool
  private let mostIDs: Int

  /// The most area ids in the sets that are told apart.
  static let standardMostIDs = 1 << 18

  /// A tally for rows whose `AreaID`s index `areas`. Labels of blocked numbers are left out where no provider wants them.
  public init(areas: [String], dropsLabelsOfBlocked: Bool = false) {
    self.init(areas: areas, dropsLabelsOfBlocked: dropsLabelsOfBlocked, mostIDs: Self.standardMostIDs)
  }

  init(areas: [String], dropsLabelsOfBlocked: Bool, mostIDs: Int) {
    only = Array(repeating: 0, count: max(areas.count, 1))
    unnoted = only
    self.dropsLabelsOfBlocked = dropsLabelsOfBlocked
    self.mostIDs = mostIDs
  }

  /// Counts `numbers` numbers that all have these rows, in the order of `SourceRow`. O(rows); allocates for a new set of areas only.
  public mutating func add(_ rows: UnsafeBufferPointer<SourceRow>, numbers: Int = 1) {
    let merged = MergedNumber(rows)
    if merged.isBlocked { add(rows, .blocking, numbers) }
    if merged.isIdentified, !(merged.isBlocked && dropsLabelsOfBlocked) { add(rows, .identification, numbers) }
  }

  private mutating func add(_ rows: UnsafeBufferPointer<SourceRow>, _ family: EntryFamily, _ numbers: Int) {
    entries += numbers
    set.removeAll(keepingCapacity: true)
    for row in rows where row.area != .none && row.action.families.contains(family) {
      let id = row.area.rawValue
      if !set.contains(id) { set.append(id) }
    }
    guard set.count > 1 else {
      only[Int(set.first ?? 0)] += numbers
      return
    }
    set.sort()
    if counts[set] == nil {
      guard notedIDs + set.count <= mostIDs else {
        isExact = false
        for id in set { unnoted[Int(id)] += numbers }
        return
      }
      notedIDs += set.count
      counts[set] = 0
    }
    counts[set]? += numbers
  }

  /// By area id: entries that have the area, whether or not they have others; index 0 counts those without any. O(areas and sets).
  public var sizes: [Int] {
    var sizes = zip(only, unnoted).map { $0 + $1 }
    for set in counts { for area in set.key { sizes[Int(area)] += set.value } }
    return sizes
  }

  /// The sets of two areas or more that share entries, ids ascending, with the count of those; in the order of the ids.
  var shared: [(areas: [Int], entries: Int)] {
    counts.map { (areas: $0.key.map { Int($0) }, entries: $0.value) }
      .sorted { $0.areas.lexicographicallyPrecedes($1.areas) }
  }
}
