import PlanFile
import ShardPlanning
import Testing

/// The keys of packs.
@Suite struct PackTests {
  private static let source = #"{"id":"companies","file":"c.tsv","number":"phone","label":"name","area":"city"}"#

  private static func plan(_ members: String, sources: String = source) -> String {
    PlanText.plan(sources: sources, providers: #"{"id":"a","rest":true\#(members)}"#)
  }

  @Test func `Packs have a pack of rows without area and one set of all, unless the plan says otherwise`() throws {
    let plain = try PlanText.load(Self.plan(#","packs":"area""#)).providers[0]
    #expect(plain.packs == PackRule(withoutArea: "base", sets: [.all]))
    #expect(plain.planned.room == nil, "the limit is that of the provider")
    let sets = #","packs":"area","packWithoutArea":"Москва","packSets":[["Москва"],["Москва","Казань"]]"#
    let stated = try PlanText.load(Self.plan(sets)).providers[0]
    #expect(stated.packs == PackRule(withoutArea: "Москва", sets: [.packs(["Москва"]), .packs(["Москва", "Казань"])]))
    #expect(stated.planned.room == PlannedProvider.unlimitedRoom)
    let all = try PlanText.load(Self.plan(#","packs":"area","packSets":[["Москва"],"all"],"excess":"error""#))
    #expect(all.providers[0].planned.room == nil)
    #expect(try PlanText.load(Self.plan("")).providers[0].packs == nil)
  }

  @Test(arguments: [
    (#","packs":"city""#, #"4:31: providers[0].packs: expected "area", found "city""#),
    (#","packs":1"#, #"4:31: providers[0].packs: expected "area", found 1"#),
    (
      #","packSets":["all"]"#,
      #"4:34: providers[0].packSets: "packSets" has no effect without "packs" (state "packs": "area" or remove it)"#
    ),
    (
      #","packWithoutArea":"x""#,
      #"4:41: providers[0].packWithoutArea: "packWithoutArea" has no effect without "packs" (state "packs": "area" or remove it)"#
    ),
    (
      #","packs":"area","packSets":[]"#,
      "4:49: providers[0].packSets: expected 1 to 64 sets of packs, found an empty array"
    ),
    (
      #","packs":"area","packSets":["every"]"#,
      #"4:50: providers[0].packSets[0]: expected a list of packs, or "all", found "every""#
    ),
    (
      #","packs":"area","packSets":[[]]"#,
      "4:50: providers[0].packSets[0]: expected at least one pack, found an empty array"
    ),
    (
      #","packs":"area","packSets":[["x","x"]]"#,
      #"4:55: providers[0].packSets[0][1]: expected each pack once, found "x" again (first at 4:51)"#
    ),
    (
      #","packs":"area","packSets":[["x"]],"excess":"error""#,
      #"4:66: providers[0].excess: "excess" has no effect: the limit is one of each set of "packSets", so the provider "#
        + #"always has room (remove "excess" or "packSets")"#
    ),
    (
      #","packs":"area","packSets":[["x"]],"count":"auto""#,
      #"4:65: providers[0].count: "auto" has no effect: the limit is one of each set of "packSets", so the provider "#
        + "always has room (state a number, or remove \"count\")"
    ),
  ])
  func `Keys of packs that are wrong or without effect are refused`(members: String, error: String) {
    PlanText.expect(Self.plan(members), fails: [error])
  }

  @Test func `A provider that is limited by its sets always has room, so filling it by score is refused`() {
    let source = #"{"id":"s","file":"s.tsv","number":"n","label":"l","area":"c","score":"s"}"#
    let error =
      #"4:66: providers[0].fillBy: "fillBy" has no effect: the limit is one of each set of "packSets", so the provider "#
      + #"always has room (remove "fillBy" or "packSets")"#
    let members = #","packs":"area","packSets":[["x"]],"fillBy":"score","count":2"#
    PlanText.expect(Self.plan(members, sources: source), fails: [error])
  }

  @Test func `Packs without a source that has areas are refused`() {
    PlanText.expect(
      Self.plan(#","packs":"area""#, sources: PlanText.companies),
      fails: [
        #"4:31: providers[0].packs: "packs" has no effect: no source has an "area" (name the column of areas in a source)"#
      ])
  }

  @Test func `A provider with data of its own has no packs`() {
    PlanText.expect(
      PlanText.plan(sources: Self.source, providers: #"{"id":"a","library":"l.so","packs":"area"}"#),
      fails: [
        #"4:36: providers[0].packs: expected no "packs" for a provider without claims, which has data of its own "#
          + #"(add a claim (areas, prefixes, countries, sources, actions, ranges, anyOf or rest), or remove "packs")"#
      ])
  }
}
