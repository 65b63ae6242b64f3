import CallDirectory
import DirectoryPublishing
import ShardPlanning
import TestSupport
import Testing

@Suite struct MovementTests {
  @Test(arguments: ["collapse", "keep"])
  func `What moved between two releases is counted as a naive walk counts it`(overlaps: String) throws {
    var compared = 0
    var sum = 0
    for seed in 0..<80 {
      var random = RandomWorld(seed: UInt64(seed))
      let world = try World()
      do {
        try random.write(to: world, overlaps: overlaps)
        let base = try world.contents(world.publish().candidate.manifest)
        try random.write(to: world, overlaps: overlaps)
        let preview = try world.publisher().preview()
        let (candidate, report) = try world.publish()
        let expected = Self.moved(from: base, to: try world.contents(candidate.manifest))
        #expect(report.moved == expected, "seed \(seed)")
        #expect(preview.moved == expected, "seed \(seed)")
        compared += 1
        sum += expected
      } catch let error as PlanningError {
        guard case .noRoom = error.kind else { throw error }
      }
    }
    #expect(compared > 20 && sum >= 20, "too little to compare: \(compared), \(sum)")
  }

  @Test(arguments: [
    (["a"], ["b"], 1), (["a", "b"], ["a"], 0), (["a"], ["a", "b"], 0), (["a", "b"], ["c"], 1),
    (["a", "b"], ["b", "c"], 1), (["a", "b"], ["c", "d"], 2), (["a"], [], 0), ([], ["a"], 0),
  ])
  func `A further copy and a copy that goes while another stays are no moves`(
    before: [String], after: [String], moved: Int
  ) throws {
    let world = try World()
    try world.write([World.Row(phone: "+74951234567", label: "x")], to: "rows")
    for (round, holders) in [before, after].enumerated() {
      let providers = ["a", "b", "c", "d"].map { id in
        let prefix = holders.contains(id) ? "+7495" : "+7812"
        return "{\"id\": \"\(id)\", \"prefixes\": [\"\(prefix)\"], \"mayBeEmpty\": true}"
      }
      try world.plan(
        sources: ["rows"], providers: providers.joined(separator: ", "),
        more: "\"overlaps\": \"keep\", \"unclaimed\": \"drop\",")
      let report = try world.publish().report
      if round == 1 { #expect(report.moved == moved) }
    }
  }

  private typealias Contents = [ProviderID: [Int64: (families: DirectoryMatch, label: String)]]

  private static func moved(from base: Contents, to now: Contents) -> Int {
    func holders(_ contents: Contents, _ number: Int64, _ family: DirectoryMatch) -> Set<ProviderID> {
      Set(contents.filter { $0.value[number]?.families.contains(family) == true }.keys)
    }
    var moved = 0
    for number in Set(base.values.flatMap(\.keys)) {
      for family in [DirectoryMatch.blocked, .identified] {
        let (old, new) = (holders(base, number, family), holders(now, number, family))
        moved += min(old.subtracting(new).count, new.subtracting(old).count)
      }
    }
    return moved
  }
}
