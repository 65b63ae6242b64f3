import CallDirectory
import PlanFile
import PositionedJSON
import ShardPlanning
import Testing

/// The key of layouts.
@Suite struct LayoutTests {
  private static func plan(_ layouts: String, providers: String = PlanText.everything) -> String {
    PlanText.plan(providers: providers, more: #","layouts":\#(layouts)"#)
  }

  @Test func `A layout is the plan with other providers and a phone of its own`() throws {
    let text = Self.plan(
      #"{"comment":1,"old":{"providers":[{"id":"a","prefixes":["+7"],"library":"./l.so"},{"id":"all","rest":true,"limit":5}]}}"#
    )
    let plan = try PlanText.load(text).resolvingPaths(against: "/base")
    #expect(plan.layouts.map(\.name) == ["old"] && plan.layout == nil && plan.storeOfPlan == "/base/.shardctl")
    let old = try #require(plan.using(layout: "old"))
    #expect(old.providers.map(\.id.rawValue) == ["a", "all"] && old.layout == "old" && old.layouts.isEmpty)
    #expect(old.providers[0].library == "/base/./l.so" && old.providers[1].planned.limit == 5)
    #expect(old.paths.store == "/base/.shardctl/layouts/old" && old.storeOfPlan == "/base/.shardctl")
    #expect(old.paths.shards == plan.paths.shards && old.name == plan.name)
    #expect(plan.using(layout: "new") == nil)
  }

  @Test func `An error that only the data shows stands at the layout's own provider`() throws {
    let plan = try PlanText.load(Self.plan(#"{"old":{"providers":[{"id":"all","areas":["x","y"]}]}}"#))
    let old = try #require(plan.using(layout: "old"))
    let id = old.providers[0].id
    #expect(plan.error(provider: id, key: "rest", "m").keyPath == "providers[0].rest")
    #expect(old.error(provider: id, key: "areas", naming: "y", "m").keyPath == "layouts.old.providers[0].areas[1]")
  }

  @Test(arguments: [
    ("[]", "5:13: layouts: expected an object, found an empty array"),
    (#"{"comment":1}"#, "5:13: layouts: expected at least one layout, found an object"),
    (#"{"old":1}"#, "5:20: layouts.old: expected an object, found 1"),
    (#"{"old":{}}"#, #"5:20: layouts.old: expected the key "providers", found none"#),
    (#"{"old":{"providers":[]}}"#, "5:33: layouts.old.providers: expected at least one provider, found an empty array"),
    (
      #"{"old":{"providers":[{"id":"a"}]}}"#,
      #"5:34: layouts.old.providers[0]: expected a claim or a "library" with data of its own, found neither (claims: "#
        + "areas, prefixes, countries, sources, actions, ranges, anyOf or rest)"
    ),
    (
      #"{"old":{"providers":[{"id":"a","rest":true,"spillsTo":["all"]}]}}"#,
      #"5:68: layouts.old.providers[0].spillsTo[0]: expected the id of a provider, found "all" (known: a)"#
    ),
    (
      #"{"old":{"providers":[{"id":"a","rest":true},{"id":"A","sources":["companies"]}]}}"#,
      #"5:63: layouts.old.providers[1].id: expected each id once, found "A", which differs only in capitals (first at 5:40)"#
    ),
    (
      #"{"old":{"providers":[{"id":"a","rest":true}]},"Old":{"providers":[{"id":"a","rest":true}]}}"#,
      #"5:59: layouts.Old: expected another name, found one that differs from "old" only in capitals"#
    ),
    (
      #"{"../x":{"providers":[{"id":"a","rest":true}]}}"#,
      #"5:14: layouts["../x"]: expected a layout's name of 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit, found "../x""#
    ),
    (
      #"{"old":{"providers":[{"id":"a","rest":true}],"sources":[]}}"#,
      #"5:58: layouts.old.sources: unknown key "sources" ("sources" is a key of the plan itself)"#
    ),
  ])
  func `A layout that is none is refused with its place`(layouts: String, error: String) {
    PlanText.expect(Self.plan(layouts), fails: [error])
  }
}
