import CallDirectory
import Foundation
import TestSupport
import Testing

/// `explain` and the lists that a run over the rows can write, with the real tool.
@Suite struct ExplainTests {
  @Test("explain goes from file and line over merge and claims to the phone")
  func text() throws {
    let world = try World.small()
    let before = try world.succeed("explain", "8 495 123-45-67").output
    #expect(before.hasSuffix("on the phone:\n  nothing has been applied yet\n"))
    try world.succeed("apply")
    let text = try world.succeed("explain", "8 495 123-45-67").output
    // The README shows this very answer.
    let readme = try String(contentsOfFile: "\(ToolRun.package)/README.md", encoding: .utf8)
    let shown = try #require(readme.components(separatedBy: "$ shardctl explain '8 495 123-45-67'\n").dropFirst().first)
    #expect(text == shown.components(separatedBy: "```")[0])
    let lookup = try world.succeed("lookup", "8 495 123-45-67").output
    #expect(text.hasSuffix(lookup.split(separator: "\n").map { "  \($0)\n" }.joined()))
  }

  @Test("What is not installed has its reason: removed, allowed, without label, unclaimed, refused")
  func absences() throws {
    let world = try World(
      plan: """
        {"schema": 1, "name": "test", "country": "RU", "unclaimed": "drop",
         "sources": [{"id": "a", "file": "a.tsv", "number": "phone", "label": "name",
           "action": {"column": "kind", "values": {"block": "block", "allow": "allow", "remove": "remove"}}}],
         "providers": [{"id": "p", "prefixes": ["+7495"]}]}
        """,
      [
        "a.tsv": """
        phone\tname\tkind
        84951234560\tA\t
        84951234560\t\tremove
        84951234561\t\tblock
        84951234561\t\tallow
        84951234562\t\t
        88121234563\tD\t
        8 495 123-45-64x\tE\t
        84951234565\t\tblock

        """
      ])
    let cases: [(String, String)] = [
      ("84951234560", "label: not installed: a row removes the number, a.tsv:3"),
      ("84951234561", "block: not installed: a row allows the number, a.tsv:5"),
      ("84951234562", "label: not installed: no row has a label"),
      ("88121234563", "label: not installed: no provider claims it"),
      ("84951234564", "  a.tsv:8:1  a  "),
      ("84951234564", "no row names +74951234564"),
      ("84951234565", "block: in p: it claims the entry and has room"),
    ]
    for (number, line) in cases {
      #expect(try world.succeed("explain", number).output.contains("\n\(line)"), "\(number)")
    }
    try world.run("explain", "nothing").expect(65, "this is not a number")
    // Fewer digits than a number has would be found in nearly every row.
    for short in ["+7", "+495"] {
      #expect(try !world.succeed("explain", short).output.contains("refused rows"), "\(short)")
    }
  }

  @Test(
    "In random worlds explain, the shards and the store agree about every number",
    arguments: [(51, false), (52, true), (53, false), (54, true)] as [(UInt64, Bool)])
  func agreement(seed: UInt64, limits: Bool) throws {
    let world = try RandomWorld(seed: seed, providers: 4, limits: limits).make()
    guard try world.run("apply").status == 0 else { return }
    let exported = try world.exported()
    let queries = RandomWorld.numbers.map { "+\($0)" }
    let run = try ToolRun(["explain", "--json"] + queries, in: world.folder.path)
    let answers = try #require(run.json()["numbers"] as? [[String: Any]])
    #expect(answers.count == queries.count)
    let looked = try world.lookup(queries)
    for ((answer, number), decision) in zip(zip(answers, RandomWorld.numbers), looked) {
      let lookup = try #require(answer["lookup"] as? [String: Any])
      #expect(lookup["decision"] as? String == decision.kind)
      let histories = try #require(answer["histories"] as? [[String: Any]])
      let history = try #require(histories.first { $0["number"] as? String == "+\(number)" })
      let rows = try #require(history["rows"] as? [[String: Any]])
      var blocked: Set<String> = []
      var labels: [String: String] = [:]
      for family in try #require(history["families"] as? [[String: Any]]) {
        let places = try #require(family["places"] as? [[String: Any]])
        #expect(places.isEmpty == (family["absence"] as? String != nil), "seed \(seed), \(number)")
        for place in places where place["reason"] as? String != "heldByOther" {
          let id = try #require(place["id"] as? String)
          if family["family"] as? String == "blocking" {
            blocked.insert(id)
          } else {
            labels[id] = rows[try #require(place["labelRow"] as? Int)]["label"] as? String
          }
        }
      }
      for provider in exported {
        let id = provider.id.rawValue
        #expect(
          provider.blocked.contains(PhoneNumber(number)) == blocked.contains(id), "seed \(seed), \(number), \(id)")
        #expect(provider.labels[PhoneNumber(number)]?.first == labels[id], "seed \(seed), \(number), \(id)")
      }
    }
  }

  @Test("A plan that fails over its rows shows them first, then its error, with the exit code of plan")
  func failingPlans() throws {
    let cases = [
      (#"{"id": "p", "areas": ["nowhere"], "mayBeEmpty": true}"#, "no provider claims 0 blocking and 2 identification"),
      (#"{"id": "p", "rest": true, "limit": 1}"#, "find no room; the limit is 1"),
      (#"{"id": "p", "areas": ["nowhere"]}"#, "no row has the area \"nowhere\""),
    ]
    for (provider, error) in cases {
      let world = try World(
        plan: """
          {"schema": 1, "name": "test", "country": "RU",
           "sources": [{"id": "a", "file": "a.tsv", "number": "phone", "label": "name"}], "providers": [\(provider)]}
          """, ["a.tsv": "phone\tname\n8 495 123-45-60\tA\n+74951234561\tB\n"])
      let run = try world.run("explain", "84951234560")
      run.expect(65, error)
      try world.run("plan").expect(65, error)
      #expect(
        run.output == """
          84951234560 in RU: +74951234560
          rows that name +74951234560:
            a.tsv:2  a  identify  label "A"
              8 495 123-45-60\\tA
          on the phone:
            nothing has been applied yet

          """)
      let json = try world.run("explain", "--json", "84951234560")
      json.expect(65, "\"code\":65")
      let answer = try #require((json.json()["numbers"] as? [[String: Any]])?.first)
      let history = try #require((answer["histories"] as? [[String: Any]])?.first)
      #expect((history["rows"] as? [Any])?.count == 1 && (history["families"] as? [Any])?.count == 0)
    }
  }

  @Test("A source beyond its guard is a warning of explain, as of plan")
  func guarded() throws {
    let world = try World(
      plan: """
        {"schema": 1, "name": "test", "country": "RU",
         "sources": [{"id": "a", "file": "a.txt", "action": "block", "guard": {"shrink": 0.1}}],
         "providers": [{"id": "p", "rest": true}]}
        """, ["a.txt": "+74951234560\n+74951234561\n"])
    try world.succeed("apply")
    try world.folder.write("+74951234560\n", to: "a.txt")
    for command in [["plan"], ["explain", "+74951234561"]] {
      let run = try ToolRun(command, in: world.folder.path)
      run.expect(0, "warning: ", "guard")
    }
  }

  @Test(
    "The label's row is that of the source's rule, for every provider, and explain says by which",
    arguments: [
      ("first", "\"A\" from a.tsv:2, the first row that has one", "A"),
      ("mostFrequent", "\"B\" from a.tsv:3, the most frequent of its source", "B"),
      ("highestScore", "\"C\" from a.tsv:5, the one with the highest score of its source", "C"),
    ])
  func repeats(rule: String, text: String, label: String) throws {
    let world = try World(
      plan: """
        {"schema": 1, "name": "test", "country": "RU", "overlaps": "keep",
         "sources": [
          {"id": "a", "file": "a.tsv", "number": "phone", "label": "name", "score": "score", "repeats": "\(rule)"},
          {"id": "b", "file": "b.tsv", "number": "phone", "label": "name"}],
         "providers": [{"id": "pb", "sources": ["b"]}, {"id": "pa", "sources": ["a"]}]}
        """,
      [
        "a.tsv": "phone\tname\tscore\n" + ["A\t1", "B\t1", "B\t1", "C\t2"].map { "+74951234560\t\($0)\n" }.joined(),
        "b.tsv": "phone\tname\n+74951234560\tOther\n",
      ])
    try world.succeed("apply")
    let output = try world.succeed("explain", "+74951234560").output
    #expect(output.contains("\nlabel: \(text)\n"), "\(output)")
    #expect(
      output.contains("label: in pb: it claims the entry and has room, with \"Other\" from its own sources, b.tsv:2"))
    #expect(try world.words("+74951234560", "--without", "pb") == "identified, \(label) from pa")
  }

  @Test("A number within a pattern, a range or a packed list of them shows the row that says it")
  func ranges() throws {
    let world = try World(
      plan: """
        {"schema": 1, "name": "test", "country": "FR", "sources": [
          {"id": "list", "file": "list.txt", "format": "patterns", "action": "block"},
          {"id": "span", "file": "span.tsv", "from": "a", "to": "b", "label": "name"}],
         "providers": [{"id": "p", "rest": true}]}
        """,
      [
        "list.txt": "# all\n01 62 00 00 ##\n", "span.tsv": "a\tb\tname\n+33162000040\t+33162001039\tHeld\n",
      ])
    let output = try world.succeed("explain", "01 62 00 00 50").output
    #expect(output.contains("\n  list.txt:2  list  block\n    01 62 00 00 ##\n"), "\(output)")
    #expect(output.contains("    01 62 00 00 ##: +33162000000–+33162000099, 100 numbers"), "\(output)")
    #expect(output.contains("\n  span.tsv:2  span  identify  label \"Held\"\n"), "\(output)")
    #expect(output.contains(": +33162000040–+33162001039, 1,000 numbers\n"), "\(output)")
    #expect(output.contains("\nblock: in p: it claims the entry and has room\n"))
    let json = try world.succeed("explain", "--json", "+33162000050").json()
    let answer = try #require((json["numbers"] as? [[String: Any]])?.first)
    let rows = try #require((answer["histories"] as? [[String: Any]])?.first?["rows"] as? [[String: Any]])
    #expect((rows[0]["range"] as? [String: String]) == ["first": "+33162000000", "last": "+33162000099"])
  }

  @Test(
    "B-024, B-026, B-022: explain finds the row by the line's other form, number and lookup name both",
    arguments: [
      ("+5491122224444", "+541122224444"), ("+5531987654321", "+553187654321"), ("+525512345678", "+5215512345678"),
    ])
  func aliases(number: String, other: String) throws {
    let world = try World(
      plan: """
        {"schema": 1, "name": "test", "sources": [
          {"id": "a", "file": "a.tsv", "number": "phone", "label": "name", "aliases": true}],
         "providers": [{"id": "p", "rest": true}]}
        """, ["a.tsv": "phone\tname\n\(number)\tLine\n"])
    try world.succeed("apply")
    for query in [number, other] {
      let output = try world.succeed("explain", query).output
      for form in [number, other] {
        #expect(output.contains("\nrows that name \(form)"), "\(output)")
      }
      #expect(output.contains(", the other form of the line:\n  a.tsv:2  a  identify  label \"Line\""), "\(output)")
      #expect(try world.words(query) == "identified, Line from p")
      let forms = [number, other].sorted { ($0.count, $0) < ($1.count, $1) }
      #expect(try world.succeed("lookup", "--json", query).json()["forms"] as? [String] == forms)
      let lookup = try world.succeed("lookup", query).output
      let shown = lookup.hasPrefix(number + "\n") ? other : number
      #expect(lookup.contains("\nthe same line may call as \(shown),"), "\(lookup)")
      let json = try world.succeed("number", "--json", query).json()
      #expect(json["forms"] as? [String] == forms)
      let own = try #require(json["number"] as? String)
      let run = try world.succeed("number", query)
      #expect(run.output == own.dropFirst() + "\n")
      #expect(run.errors.contains("the same line may be called \(own == number ? other : number)"), "\(run)")
    }
    let batch = try world.run("number", "--batch", "-", input: "\(number)\n")
    #expect(batch.output == "\(number)\t\(number.dropFirst())\t\n")
    #expect(try world.succeed("number", "--json", "+74951234567").json()["forms"] as? [String] == ["+74951234567"])
  }

  @Test("REPORT: --rejects and --conflicts write files beside the result, and a folder that is missing exits 73")
  func lists() throws {
    let world = try World.small()
    try world.folder.write(World.companies + "foo\tBar\t\n+7 495 123-45-67\tOmega\tMoscow\n", to: "companies.tsv")
    try world.succeed("plan", "--rejects", "bad.tsv", "--conflicts", "labels.tsv")
    func text(_ name: String) -> String? {
      FileManager.default.contents(atPath: world.folder.path(name)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(text("bad.tsv") == "foo\tBar\t\n")
    #expect(text("bad.tsv.reasons.tsv") == "companies.tsv\t6\t1\tno digits\n")
    #expect(
      text("labels.tsv")
        == "74951234567\tAlpha\tcompanies.tsv\t2\tmoscow,russia\n74951234567\tOmega\tcompanies.tsv\t7\t\n")
    let report = try world.succeed("build", "--json", "--rejects", "again.tsv").json()
    #expect(report["conflictingLabels"] as? Int == 1 && report["repeatedLabels"] as? Int == 0)
    #expect(text("again.tsv") == text("bad.tsv"))
    try world.run("plan", "--rejects", "no/bad.tsv").expect(73, "cannot be written")
  }
}
