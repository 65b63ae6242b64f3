import CallDirectory
import DirectorySources
import PhoneNumbering
import PlanFile
import PositionedJSON
import ShardPlanning
import TestSupport
import Testing

@Suite struct GoodPlanTests {
  @Test func `A small plan gets every default`() throws {
    let text = PlanText.plan()
    let plan = try PlanText.load(text)
    #expect(plan.file == "plan.json")
    #expect(plan.bytes == Array(text.utf8))
    #expect(plan.name == "n" && plan.title == nil)
    #expect(plan.country == nil)
    #expect(plan.overlaps == .collapse)
    #expect(plan.unclaimed == .error)
    #expect(plan.keepReleases == 3)
    #expect(plan.profile == .plain)
    #expect(plan.paths == PlanPaths())
    #expect(plan.paths.plugins == "Plugins" && plan.paths.shards == "shards" && plan.paths.store == ".shardctl")
    #expect(plan.phone.profile == PhoneProfile(.ios18))
    #expect(plan.phone.country == nil && plan.phone.contacts == nil)

    let source = try #require(plan.sources.first)
    #expect(source.id == "companies" && source.files == ["c.tsv"] && source.format == .tsv && source.hasHeader)
    #expect(source.numbers == .number(.name("phone")) && source.label == .column(.name("name")))
    #expect(source.area == nil)
    #expect(source.score == nil && source.action == .fixed(.identify) && source.spelling.region == nil)
    #expect(source.spelling.interpretation == .auto && source.onBadRow == .skip && !source.allowEmpty)

    let provider = try #require(plan.providers.first)
    #expect(plan.provider(provider.id)?.title == "all")
    #expect(provider.planned.claim == .rest && provider.planned.limit == 1_999_999)
    #expect(provider.planned.spillsTo.isEmpty && provider.planned.excess == .error)
    #expect(provider.title == "all" && provider.container == "all" && provider.isEnabled && provider.isPlanned)
    #expect(provider.library == "libShardProvider.so" && provider.options == "{}" && !provider.mayBeEmpty)
  }

  static let full = #"""
    {
      "$schema": "https://example.org/plan.schema.json", "comment": ["anything", {"at": "all"}],
      "schema": 1, "name": "Россия", "country": "RU", "overlaps": "keep", "unclaimed": "drop", "profile": "balanced", "keepReleases": 5,
      "title": "Кто звонит",
      "sources": [
        { "id": "companies", "comment": 1, "file": ["data/b.tsv", "/abs/companies-*.TSV"], "number": "phone",
          "label": "name", "area": "city", "score": "calls", "numbersAre": "national", "onBadRow": "fail",
          "encoding": "UTF-8", "repeats": "first" },
        { "id": "spam", "file": "data/spam.txt", "action": "block", "allowEmpty": true },
        { "id": "kinds", "file": "k.dat", "format": "csv", "header": false, "number": 2, "label": 1, "country": "FR",
          "action": { "column": 3, "values": { "1": "block", "both": "both", "x": "remove" }, "comment": "c" } },
        { "id": "ours", "file": "never.txt", "action": "allow", "numbersAre": "international" }
      ],
      "providers": [
        { "id": "moscow-spb", "title": "Москва и Петербург", "spillsTo": ["russia"], "limit": 1000,
          "fillBy": "score", "fillMargin": 0.25,
          "anyOf": [ { "areas": ["Москва", "Санкт-Петербург"], "comment": "" }, { "prefixes": ["+7495", "+7"] } ] },
        { "id": "russia", "countries": ["RU", "KZ"], "sources": ["companies"], "actions": ["identify", "both"],
          "ranges": ["+74950000000-+74959999999", "+78120000000-+78120000000"], "mayBeEmpty": true,
          "excess": "error", "enabled": false, "container": "shared" },
        { "id": "abroad", "rest": true, "library": "sub/libAbroad.so" },
        { "id": "crm", "library": "libCRM.so", "options": { "file" : "contacts.csv", "n": 1.50, "comment": 0 } }
      ],
      "phone": { "profile": "ios10", "country": "KZ", "contacts": "contacts.txt", "memoryLimit": 5000000,
        "contactsOverrideBlocks": true },
      "paths": { "plugins": "/opt/plugins", "shards": "out/shards", "store": "phone" }
    }
    """#

  @Test func `A plan with every key is decoded in full`() throws {
    let plan = try PlanText.load(Self.full)
    let russia = try #require(RegionCode("RU"))
    #expect(plan.name == "Россия" && plan.title == "Кто звонит" && plan.country == russia && plan.keepReleases == 5)
    #expect(plan.profile == .balanced)
    #expect(plan.overlaps == .keep && plan.unclaimed == .drop)

    #expect(plan.sources.map(\.id) == ["companies", "spam", "kinds", "ours"])
    #expect(plan.sources.map(\.format) == [.tsv, .numbers, .csv, .numbers])
    #expect(plan.sources.map(\.spelling.region?.rawValue) == ["RU", "RU", "FR", "RU"])
    #expect(plan.sources.map(\.spelling.interpretation) == [.national, .auto, .auto, .international])
    #expect(plan.sources[0].files == ["data/b.tsv", "/abs/companies-*.TSV"])
    #expect(plan.sources[0].area == .name("city") && plan.sources[0].score == .name("calls"))
    #expect(plan.sources[0].onBadRow == .fail && plan.sources[1].allowEmpty)
    #expect(plan.sources[1].action == .fixed(.block) && plan.sources[3].action == .fixed(.allow))
    #expect(
      !plan.sources[2].hasHeader && plan.sources[2].numbers == .number(.position(2))
        && plan.sources[2].label == .column(.position(1)))
    #expect(plan.sources[2].action == .column(.position(3), values: ["1": .block, "both": .both, "x": .remove]))

    #expect(plan.providers.map(\.id.rawValue) == ["moscow-spb", "russia", "abroad", "crm"])
    #expect(plan.providers.map(\.title) == ["Москва и Петербург", "russia", "abroad", "crm"])
    #expect(plan.providers.map(\.isEnabled) == [true, false, true, true])
    #expect(plan.providers.map(\.container) == ["moscow-spb", "shared", "abroad", "crm"])
    #expect(plan.providers.map(\.mayBeEmpty) == [false, true, false, false])
    #expect(plan.providers.map(\.isPlanned) == [true, true, true, false])
    #expect(
      plan.providers[0].planned.claim
        == .matching(
          all: ClaimClause(),
          anyOf: [ClaimClause(areas: ["Москва", "Санкт-Петербург"]), ClaimClause(prefixes: ["7495", "7"])]))
    #expect(plan.providers[0].planned.limit == 1000 && plan.providers[0].planned.spillsTo == [plan.providers[1].id])
    #expect(plan.providers.map(\.planned.fillBy) == [.score, .number, .number, .number])
    #expect(plan.providers.map(\.planned.fillMargin) == [0.25, 0.1, 0.1, 0.1])
    let kazakhstan = try #require(RegionCode("KZ"))
    #expect(
      plan.providers[1].planned.claim
        == .matching(
          all: ClaimClause(
            countries: [russia, kazakhstan], sources: ["companies"], actions: [.identify, .both],
            ranges: [
              PhoneNumber(74_950_000_000)...PhoneNumber(74_959_999_999),
              PhoneNumber(78_120_000_000)...PhoneNumber(78_120_000_000),
            ]), anyOf: []))
    #expect(plan.providers[3].options == #"{ "file" : "contacts.csv", "n": 1.50, "comment": 0 }"#)

    #expect(plan.phone.profile.name == .ios10 && plan.phone.profile.memoryLimit == 5_000_000)
    #expect(plan.phone.profile.contactsOverrideBlocks && plan.phone.country == kazakhstan)
    #expect(plan.phone.contacts == "contacts.txt")
    #expect(plan.paths.plugins == "/opt/plugins" && plan.paths.shards == "out/shards" && plan.paths.store == "phone")
  }

  static let edges = [
    PlanText.plan(providers: #"{"id":"crm","library":"libCRM.so"}"#),
    PlanText.plan(sources: "", providers: #"{"id":"crm","library":"libCRM.so"}"#),
    #"{"schema":1,"name":"n","providers":[{"id":"crm","library":"libCRM.so"}]}"#,
    "\u{FEFF}" + PlanText.plan(),
    PlanText.plan(sources: #"{"id":"a","file":"x","format":"numbers","action":"remove"}"#),
    PlanText.plan(sources: #"{"id":"a","file":"x.tsv","number":"n","action":{"column":"k","values":{"":"block"}}}"#),
    PlanText.plan(sources: #"{"id":"a","file":"x.csv","number":"n","action":"block","area":"a","score":"s"}"#),
    PlanText.plan(providers: #"{"id":"a","rest":true,"limit":1},{"id":"b","areas":["x"],"limit":1999999}"#),
    PlanText.plan(
      providers: #"{"id":"a","areas":["x"],"spillsTo":["b","c"]},{"id":"b","rest":true,"spillsTo":["c"]},"#
        + #"{"id":"c","areas":["x"]}"#),
    PlanText.plan(providers: #"{"id":"a","ranges":["+1000000-+999999999999999"]}"#),
    PlanText.plan(more: #","phone":{},"paths":{"store":"s"}"#),
    PlanText.plan(
      providers: #"{"id":"a","rest":true,"count":"auto","excess":"dropLowestScore","warnAt":1,"guard":{"growth":9}},"#
        + #"{"id":"b","areas":["x"],"count":100,"spillsTo":["a"],"dropLabelsOfBlocked":false}"#,
      more: #","warnAt":0.5,"dropLabelsOfBlocked":true"#),
    PlanText.plan(
      providers: #"{"id":"a","rest":true,"count":3},{"id":"a-4","areas":["x"]},{"id":"a-01","areas":["x"]}"#),
  ]

  @Test(arguments: edges)
  func `Plans at the edge of the rules are accepted`(text: String) throws {
    _ = try PlanText.load(text)
  }

  @Test func `A provider says for itself what the plan says for all, and its copies are providers`() throws {
    let plan = try PlanText.load(
      PlanText.plan(
        providers: #"{"id":"a","title":"A","rest":true,"count":3},{"id":"b","areas":["x"],"count":"auto","warnAt":0.7,"#
          + #""dropLabelsOfBlocked":false,"container":"c","guard":{"shrink":0.1,"growth":2}}"#,
        more: #","warnAt":0.5,"dropLabelsOfBlocked":true"#))
    #expect(plan.providers.map(\.planned.warnAt) == [0.5, 0.7])
    #expect(plan.providers.map(\.planned.dropsLabelsOfBlocked) == [true, false])
    #expect(plan.providers.map(\.planned.count) == [.fixed(3), .auto])
    #expect(plan.providers[1].limits == ProviderGuard(shrink: 0.1, growth: 2))
    let installed = plan.installedProviders { $0.rawValue == "b" ? 2 : nil }
    #expect(installed.map(\.id.rawValue) == ["a-1", "a-2", "a-3", "b-1", "b-2"])
    #expect(installed.map(\.title) == ["A 1", "A 2", "A 3", "b 1", "b 2"])
    #expect(installed.map(\.container) == ["a-1", "a-2", "a-3", "c", "c"])
    #expect(plan.installedProviders { _ in nil }.map(\.id.rawValue) == ["a-1", "a-2", "a-3"])
    let found = ["a", "a-0", "a-1", "a-3", "a-4", "a-01", "b", "b-9", "b-x"].map { text in
      ProviderID(text).flatMap(plan.provider)?.id.rawValue
    }
    #expect(found == [nil, nil, "a-1", "a-3", nil, nil, nil, "b-9", nil])
  }

  @Test func `Relative paths are resolved against the plan's folder, absolute ones and bare library names stay`() throws
  {
    let plan = try Plan(bytes: Array(Self.full.utf8), file: "some/where/plan.json").resolvingPaths()
    #expect(plan.sources[0].files == ["some/where/data/b.tsv", "/abs/companies-*.TSV"])
    #expect(plan.providers.map(\.library).suffix(2) == ["some/where/sub/libAbroad.so", "libCRM.so"])
    #expect(plan.providers[0].library == "libShardProvider.so")
    #expect(plan.phone.contacts == "some/where/contacts.txt")
    #expect(
      plan.paths.plugins == "/opt/plugins" && plan.paths.shards == "some/where/out/shards"
        && plan.paths.store == "some/where/phone")
    let inPlace = try Plan(bytes: Array(Self.full.utf8), file: "plan.json")
    #expect(inPlace.folder == "." && inPlace.resolvingPaths().paths.store == "phone")
    #expect(inPlace.resolvingPaths(against: "/base").paths.store == "/base/phone")
  }

  @Test func `A plan is read from a file, and a file that is not there is a system error`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(PlanText.plan(), to: "plan.json")
    #expect(try Plan.load(path: path).folder == folder.path)
    let error = #expect(throws: (any Error).self) { try Plan.load(path: folder.path("other.json")) }
    #expect(error.map { "\($0)".hasSuffix("other.json: cannot open: No such file or directory") } == true)
    #expect(throws: (any Error).self) { try Plan.load(path: folder.path) }
  }

  @Test func `What only the data shows is reported at its place in the plan`() throws {
    let plan = try PlanText.load(Self.full)
    let moscow = plan.providers[0].id
    #expect(
      plan.error(provider: moscow, key: "areas", naming: "Санкт-Петербург", "no row has it").description
        == "plan.json:17:40: providers[0].anyOf[0].areas[1]: no row has it")
    #expect(
      plan.error(provider: moscow, key: "limit", "too small").description
        == "plan.json:15:91: providers[0].limit: too small")
    #expect(plan.error(provider: moscow, key: "rest", "x").description == "plan.json:15:5: providers[0]: x")
    #expect(
      plan.error(source: "spam", key: "file", "no such file", hint: "h")
        == JSONError(
          file: "plan.json",
          at: try #require(JSONDocument(text: Self.full).root["sources"]?.elements.map { $0 }[1]["file"])
            .position, keyPath: "sources[1].file", message: "no such file", hint: "h"))
    #expect(plan.error(source: "gone", "x").description == "plan.json:1:1: x")
  }
}
