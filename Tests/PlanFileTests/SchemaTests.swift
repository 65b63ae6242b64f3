import Foundation
import PositionedJSON
import SampleDirectory
import TestSupport
import Testing

@testable import PlanFile

@Suite struct SchemaTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func value(_ text: String) throws -> JSONValue { try JSONDocument(text: text).root }

  @Test func `The schema has the decoder's keys, in its order, each with a line that says what it means`() throws {
    for object in PlanSchema.objects {
      #expect(object.properties.map(\.key) == object.keys.known, "\(object.keys.place)")
      #expect(object.required.allSatisfy(object.keys.known.contains), "\(object.keys.place)")
      for property in object.properties {
        #expect(property.meaning.hasSuffix(".") && !property.meaning.contains("\n"), "\(property.key)")
        #expect((10...100).contains(property.meaning.count), "\(property.key)")
      }
    }
    let places = PlanSchema.objects.map(\.keys.place)
    #expect(Set(places).count == places.count)
  }

  @Test func `Every rule names keys that there are`() throws {
    let keys = Set(PlanSchema.objects.flatMap(\.keys.known) + PlanKeys.everywhere)
    var found: Set<String> = []
    func visit(_ value: JSONValue) {
      for member in value.members {
        if member.key == "properties" { found.formUnion(member.value.members.map(\.key)) }
        if member.key == "required" { found.formUnion(member.value.elements.compactMap(\.string)) }
        visit(member.value)
      }
      for element in value.elements { visit(element) }
    }
    visit(try JSONDocument(PlanSchema.document(), file: nil).root)
    #expect(found == keys)
  }

  // MARK: Good plans

  /// Plans that stand in the project's files, by their place.
  private static func written() throws -> [(place: String, text: String)] {
    var plans: [(place: String, text: String)] = []
    let samples = package.appendingPathComponent("Samples")
    for path in try FileManager.default.subpathsOfDirectory(atPath: samples.path).sorted()
    where path.hasSuffix("plan.json") {
      plans.append((path, try String(contentsOf: samples.appendingPathComponent(path), encoding: .utf8)))
    }
    let readme = try String(contentsOf: package.appendingPathComponent("README.md"), encoding: .utf8)
    for block in readme.components(separatedBy: "```json\n").dropFirst() {
      plans.append(("README.md", String(block.components(separatedBy: "```").first ?? "")))
    }
    let folder = try TemporaryFolder()
    _ = try SampleWriter(recipe: SampleRecipe(rows: 1_000), directory: folder.path).write()
    plans.append(("sample", try String(contentsOfFile: folder.path("plan.json"), encoding: .utf8)))
    return plans
  }

  /// Plans that the decoder accepts: what is written anywhere, and the tables of the other tests.
  private static func good() throws -> [(place: String, text: String)] {
    try written() + [("full", GoodPlanTests.full)] + GoodPlanTests.edges.map { ("edge", $0) }
      + SourceKeyTests.examples.map { ("source", PlanText.plan(sources: $0)) }
  }

  @Test func `Every plan of Samples, README and shardctl sample is valid, and so is whatever the decoder accepts`()
    throws
  {
    let validator = try JSONSchemaValidator(PlanSchema.document())
    let plans = try Self.good()
    for place in ["russia/plan.json", "README.md", "sample"] {
      #expect(plans.contains { $0.place == place }, "\(place)")
    }
    for (place, text) in plans {
      _ = try PlanText.load(text)
      // A byte order mark is no part of the JSON text.
      #expect(try validator.errors(of: Self.value(text)) == [], "\(place): \(text)")
    }
  }

  // MARK: Bad plans

  /// Sources that a schema can tell to be wrong.
  static let badSources = [
    "1", #"{"file":"a.txt","action":"block"}"#, #"{"id":"a","action":"block"}"#,
    #"{"id":"a b","file":"a.txt","action":"block"}"#, #"{"id":"a","file":7,"action":"block"}"#,
    #"{"id":"a","file":[],"action":"block"}"#, #"{"id":"a","file":["x.txt","x.txt"],"action":"block"}"#,
    #"{"id":"a","file":["x.txt",""],"action":"block"}"#,
    #"{"id":"a","file":"x","format":"tvs","number":"n","action":"block"}"#,
    #"{"id":"a","file":"x.tsv","label":"n"}"#, #"{"id":"a","file":"x.tsv","number":2,"label":"n"}"#,
    #"{"id":"a","file":"x.tsv","header":false,"number":"n","label":0}"#,
    #"{"id":"a","file":"x.tsv","header":false,"number":1,"label":"n"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":["a"]}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"{a"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","action":"block"}"#,
    #"{"id":"a","file":"x.tsv","number":"n"}"#, #"{"id":"a","file":"x.CSV.gz","number":"n"}"#,
    #"{"id":"a","file":["x.json"],"number":"n","action":"both"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","area":"a","action":"allow"}"#, #"{"id":"a","file":"x.txt"}"#,
    #"{"id":"a","file":"x.txt","number":"n","action":"block"}"#,
    #"{"id":"a","file":"x.txt","header":true,"action":"block"}"#,
    #"{"id":"a","file":"x.txt","action":{"column":"k","values":{"1":"block"}}}"#,
    #"{"id":"a","file":"x.txt","action":"blok"}"#, #"{"id":"a","file":"x.txt","action":1}"#,
    #"{"id":"a","file":"x.tsv","number":"n","action":{"column":1,"values":{"1":"block"}}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","action":{"column":"k","values":{}}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","action":{"column":"k","value":{"1":"block"}}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","action":{"column":"k","values":{"1":"stop"}}}"#,
    #"{"id":"a","file":"x.txt","action":"block","numbersAre":"national"}"#,
    #"{"id":"a","file":"x.txt","action":"block","onBadRow":"stop"}"#,
    #"{"id":"a","file":"x.txt","action":"block","allowEmpty":"yes"}"#,
    #"{"id":"a","file":"x.txt","action":"block","encoding":"windows-1521"}"#,
    #"{"id":"a","file":"x.txt","action":"block","country":"ru"}"#,
    #"{"id":"a","file":"x.txt","action":"block","numer":"x"}"#,
    #"{"id":"a","file":"x.txt","action":"block","prefixes":["+7"]}"#,
    #"{"id":"a","file":"x.tsv","number":"n","pattern":"p","label":"l"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","to":"p","from":"f","label":"l"}"#,
    #"{"id":"a","file":"x.tsv","from":"f","label":"l"}"#, #"{"id":"a","file":"x.vcf","pattern":"TEL"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","where":[]}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","where":{"column":"s"}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","where":[{"column":"s","equals":"x","in":["y"]}]}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","where":{"column":"s","in":["x"," y"]}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","where":{"column":1,"equals":"y"}}"#,
    #"{"id":"a","file":"x.txt","action":"block","internationalPrefixes":["+"]}"#,
    #"{"id":"a","file":"x.txt","action":"block","extension":"add"}"#,
    #"{"id":"a","file":"x.txt","action":"block","numberSeparator":"+"}"#,
    #"{"id":"a","file":"x.tsv","from":"f","to":"t","label":"l","numberSeparator":";"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","maxLabelBytes":7}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","guard":{}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","guard":{"shrink":30}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","guard":{"grow":1}}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","separator":";"}"#,
    #"{"id":"a","file":"x.csv","number":"n","label":"l","separator":"x"}"#,
    #"{"id":"a","file":"x.json","number":"n","label":"l","header":true}"#,
    #"{"id":"a","file":"x.jsonl","number":"n","label":"l","records":"items"}"#,
    #"{"id":"a","file":"x.2gis","encoding":"koi8-r"}"#,
    #"{"id":"a","file":"x","format":"patterns","pattern":"p","action":"block"}"#,
    #"{"id":"a","file":"x","format":"patterns"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","areaMap":"areas.tsv"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","action":"block","repeats":"first"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","repeats":"highestScore"}"#,
    #"{"id":"a","file":"x.tsv","number":"n","label":"l","maxPatternNumbers":5}"#,
  ]

  /// Providers that a schema can tell to be wrong.
  static let badProviders = [
    "[]", #"{"rest":true}"#, #"{"id":"../a","rest":true}"#, #"{"id":"a","rest":true,"limit":2000000}"#,
    #"{"id":"a","rest":true,"limit":0}"#, #"{"id":"a","rest":true,"options":[1]}"#,
    #"{"id":"a","rest":true,"enabled":null}"#, #"{"id":"a","rest":true,"excess":"dropLowest"}"#,
    #"{"id":"a"}"#, #"{"id":"b","library":"l.so","limit":5}"#, #"{"id":"a","rest":false}"#,
    #"{"id":"a","rest":true,"areas":["x"]}"#, #"{"id":"a","areas":[]}"#, #"{"id":"a","areas":["x","x"]}"#,
    #"{"id":"a","prefixes":["7"]}"#, #"{"id":"a","countries":["UK"]}"#, #"{"id":"a","actions":["allow"]}"#,
    #"{"id":"a","ranges":["+7-+8"]}"#, #"{"id":"a","anyOf":[]}"#, #"{"id":"a","anyOf":[{}]}"#,
    #"{"id":"a","rest":true,"spilsTo":["b"]}"#, #"{"id":"a","rest":true,"count":2,"fillBy":"calls"}"#,
    #"{"id":"a","rest":true,"count":2,"fillMargin":0.2}"#,
    #"{"id":"a","rest":true,"count":2,"fillBy":"number","fillMargin":0.2}"#,
    #"{"id":"a","rest":true,"count":2,"fillBy":"score","fillMargin":-1}"#,
    #"{"id":"b","library":"l.so","fillBy":"number"}"#,
    #"{"id":"a","rest":true,"packs":"city"}"#,
    #"{"id":"a","rest":true,"packSets":["all"]}"#, #"{"id":"b","library":"l.so","packs":"area"}"#,
    #"{"id":"a","rest":true,"packs":"area","packSets":["every"]}"#,
    #"{"id":"a","rest":true,"packs":"area","packSets":[["x","x"]]}"#,
  ]

  /// The plan's own keys wrong, as JSON behind the rest of a plan.
  static let badMore = [
    #","soruces":1"#, #","layouts":{}"#, #","layouts":{"a":{}}"#, #","layouts":{"a":{"providers":[]}}"#,
    #","layouts":{"a":{"providers":[{"id":"a"}]}}"#, #","country":"Russia""#, #","overlaps":"keeps""#,
    #","unclaimed":"ignore""#,
    #","keepReleases":0"#, #","profile":"fast""#, #","phone":{"profile":"ios11"}"#,
    #","phone":{"memoryLimit":13000000}"#,
    #","phone":{"profile":"ios10","memoryLimit":7000000}"#, #","phone":{"contacts":""}"#, #","phone":null"#,
    #","title":"""#, #","paths":{"store":1}"#, #","maxPatternNumbers":0"#,
  ]

  private static var bad: [String] {
    badSources.map { PlanText.plan(sources: $0) } + badProviders.map { PlanText.plan(providers: $0) }
      + badMore.map { PlanText.plan(more: $0) }
      + [
        "[1]", "{}", #"{"schema":3,"name":"n","providers":[{"id":"a","library":"l.so"}]}"#, #"{"schema":1,"name":"n"}"#,
      ]
  }

  @Test func `What the schema rejects the decoder rejects too, and a schema knows these mistakes`() throws {
    let validator = try JSONSchemaValidator(PlanSchema.document())
    #expect(Self.bad.count >= 80)
    for text in Self.bad {
      #expect(throws: PlanError.self, "\(text)") { try PlanText.load(text) }
      #expect(try !validator.errors(of: Self.value(text)).isEmpty, "\(text)")
    }
  }

  @Test func `A plan with any value replaced by another kind is never refused by the schema alone`() throws {
    let validator = try JSONSchemaValidator(PlanSchema.document())
    var ranges: [Range<Int>] = []
    func visit(_ value: JSONValue) {
      ranges.append(value.byteRange)
      for element in value.elements { visit(element) }
      for member in value.members where member.key != "options" { visit(member.value) }
    }
    visit(try Self.value(GoodPlanTests.full))
    let bytes = Array(GoodPlanTests.full.utf8)
    for range in ranges {
      for replacement in ["1", "\"x\"", "[\"x\"]"] {
        let changed = Array(bytes[..<range.lowerBound] + Array(replacement.utf8) + bytes[range.upperBound...])
        let text = String(decoding: changed, as: UTF8.self)
        guard (try? PlanText.load(text)) != nil else { continue }
        #expect(try validator.errors(of: Self.value(text)) == [], "\(text)")
      }
    }
  }

  // MARK: Others' validators

  private static let python: String? = {
    for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
      let path = "\(folder)/python3"
      if FileManager.default.isExecutableFile(atPath: path), (try? run(path, ["-c", "import jsonschema"]).status) == 0 {
        return path
      }
    }
    return nil
  }()

  private static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test(.enabled(if: python != nil, "no python3 with the package jsonschema"))
  func `Python's jsonschema takes the schema for one of draft 2020-12 and judges every plan alike`() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(decoding: PlanSchema.document(), as: UTF8.self), to: "schema.json")
    let plans: [(text: String, isGood: Bool)] =
      try Self.good().map { ($0.text, true) } + Self.bad.map { ($0, false) }
    for (index, plan) in plans.enumerated() {
      try folder.write(plan.text.replacingOccurrences(of: "\u{FEFF}", with: ""), to: "\(index).json")
    }
    let script = """
      json, sys, jsonschema = map(__import__, ("json", "sys", "jsonschema"))
      Draft202012Validator = jsonschema.Draft202012Validator
      schema = json.load(open(sys.argv[1] + "/schema.json"))
      Draft202012Validator.check_schema(schema)
      validator = Draft202012Validator(schema)
      for index in range(int(sys.argv[2])):
        plan = json.load(open(sys.argv[1] + "/%d.json" % index))
        print("good" if validator.is_valid(plan) else "bad")
      """
    let (status, output) = try Self.run(try #require(Self.python), ["-c", script, folder.path, "\(plans.count)"])
    #expect(status == 0, "\(output)")
    #expect(output.split(separator: "\n").map { $0 == "good" } == plans.map(\.isGood))
  }
}
