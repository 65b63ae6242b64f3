internal import CallDirectory
internal import Digests

/// In which packs the entries of one provider are: those of the areas of all rows that ask for an entry, each family by itself, and
/// the one for rows without an area.
///
/// Memory depends on the number of areas.
struct PackMembers {
  /// One pack of the entry at hand.
  struct Member {
    /// Position of the pack in `names`.
    var pack: Int32
    /// Which of the entry's families are in it.
    var isBlocked: Bool
    var isIdentified: Bool
  }

  /// The names of all packs that there might be, in byte order.
  let names: [String]
  /// The packs of the entry at hand; valid until the next `find`.
  private(set) var found: [Member] = []

  /// By area: the position of its pack.
  private let packOfArea: [Int32]
  /// By pack: where it is in `found`, or -1.
  private var places: [Int32]

  /// The packs of rows whose `AreaID`s index `areas`; `others` are names that there shall be besides.
  init(areas: [String], withoutArea: String, others: [String] = []) {
    // Index 0 stands for "no area", whatever its text.
    names = Set(areas.dropFirst() + [withoutArea] + others)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let positions = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, Int32($0)) })
    packOfArea = areas.enumerated().map { index, name in positions[index == 0 ? withoutArea : name] ?? 0 }
    places = Array(repeating: -1, count: names.count)
  }

  /// Finds the packs of `entry`, whose number has `rows`. O(rows).
  mutating func find(_ entry: DirectoryEntry, _ rows: UnsafeBufferPointer<SourceRow>) {
    for member in found { places[Int(member.pack)] = -1 }
    found.removeAll(keepingCapacity: true)
    for index in rows.indices {
      let families = rows[index].action.families
      let isBlocked = entry.isBlocked && families.contains(.blocking)
      let isIdentified = entry.label != nil && families.contains(.identification)
      guard isBlocked || isIdentified else { continue }
      let pack = packOfArea[Int(rows[index].area.rawValue)]
      var place = Int(places[Int(pack)])
      if place < 0 {
        place = found.count
        places[Int(pack)] = Int32(truncatingIfNeeded: place)
        found.append(Member(pack: pack, isBlocked: false, isIdentified: false))
      }
      if isBlocked { found[place].isBlocked = true }
      if isIdentified { found[place].isIdentified = true }
    }
  }

  /// The names of the packs of `entry`'s label and of its block, in byte order.
  mutating func names(
    of entry: DirectoryEntry, _ rows: UnsafeBufferPointer<SourceRow>
  ) -> (blocking: [String], identification: [String]) {
    find(entry, rows)
    let members = found.sorted { $0.pack < $1.pack }
    return (
      members.filter(\.isBlocked).map { names[Int($0.pack)] },
      members.filter(\.isIdentified).map { names[Int($0.pack)] }
    )
  }
}
