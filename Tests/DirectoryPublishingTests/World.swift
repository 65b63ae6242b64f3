import CallDirectory
import DirectoryPublishing
import Foundation
import PlanFile
import ShardFormat
import TestSupport

/// A plan with its files in a folder of its own.
struct World {
  /// One row of a source.
  struct Row {
    var phone: String
    var label = ""
    var area = ""
    var kind = "identify"
  }

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var planPath: String { folder.path("plan.json") }
  var shards: ReleaseFolder { ReleaseFolder(folder.path("shards")) }

  /// Writes `source`.tsv.
  func write(_ rows: [Row], to source: String) throws {
    let lines = rows.map { "\($0.phone)\t\($0.label)\t\($0.area)\t\($0.kind)\n" }
    try folder.write("phone\tname\tarea\tkind\n" + lines.joined(), to: "\(source).tsv")
  }

  /// Writes the plan over `sources`; `providers` and `more` are JSON.
  func plan(sources: [String], providers: String, more: String = "") throws {
    let described = sources.map { id in
      """
      {"id": "\(id)", "file": "\(id).tsv", "number": "phone", "label": "name", "area": "area", "allowEmpty": true,
       "action": {"column": "kind", "values":
         {"block": "block", "both": "both", "allow": "allow", "remove": "remove"}}}
      """
    }
    try folder.write(
      """
      {"schema": 1, "name": "world", "country": "RU", \(more)
       "sources": [\(described.joined(separator: ",\n"))],
       "providers": [\(providers)]}
      """, to: "plan.json")
  }

  func publisher(_ options: PublishingOptions = PublishingOptions()) throws -> DirectoryPublisher {
    DirectoryPublisher(try Plan.load(path: planPath).resolvingPaths(), options: options)
  }

  /// Stages, records, makes current and cleans, as `shardctl build` does.
  @discardableResult
  func publish(_ options: PublishingOptions = PublishingOptions(), keeping count: Int = 3, files: Set<String> = [])
    throws -> (candidate: ReleaseCandidate, report: PlanReport)
  {
    let lock = try shards.lock(holder: "test")
    defer { withExtendedLifetime(lock) {} }
    let (candidate, report) = try publisher(options).stage()
    if !candidate.isUnchanged {
      try candidate.record()
      try candidate.makeCurrent()
    }
    try shards.clean(keeping: count, files: files)
    return (candidate, report)
  }

  /// All files of the release folder with their bytes, by path in it; the lock is none of them.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    let walk = FileManager.default.enumerator(atPath: shards.path)
    while let name = walk?.nextObject() as? String {
      let path = "\(shards.path)/\(name)"
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), name != ".lock" else { continue }
      files[name] = isFolder.boolValue ? nil : try Data(contentsOf: URL(fileURLWithPath: path))
      if isFolder.boolValue, name != "releases" { files[name] = Data() }
    }
    return files
  }

  /// The names that the folder should hold: manifests of the kept releases and their shards.
  func expectedNames() throws -> Set<String> {
    let releases = try shards.releases()
    var names = Set(releases.map { "releases/\($0).json" })
    if FileManager.default.fileExists(atPath: shards.currentPath) { names.insert("manifest.json") }
    for release in releases { names.formUnion(try shards.manifest(of: release).providers.map(\.file)) }
    return names
  }

  /// What each provider of a release has: by number, in which families and with which label.
  func contents(_ manifest: ReleaseManifest) throws -> [ProviderID: [Int64: (families: DirectoryMatch, label: String)]]
  {
    var contents: [ProviderID: [Int64: (families: DirectoryMatch, label: String)]] = [:]
    for provider in manifest.providers {
      var entries: [Int64: (families: DirectoryMatch, label: String)] = [:]
      try Shard(shards.shardPath(provider.file)).forEachEntry { entry in
        var families: DirectoryMatch = entry.isBlocked ? .blocked : []
        if entry.label != nil { families.insert(.identified) }
        entries[entry.number.rawValue] = (families, entry.label.map { String(decoding: $0, as: UTF8.self) } ?? "")
      }
      contents[provider.id] = entries
    }
    return contents
  }

  /// Two providers by area and one for the rest, over one source of `count` rows.
  static func threeProviders(count: Int = 300, label: String = "Company", more: String = "") throws -> World {
    let world = try World()
    try world.plan(
      sources: ["companies"],
      providers: """
        {"id": "north", "areas": ["north"]}, {"id": "south", "title": "The South", "areas": ["south"]},
        {"id": "other", "rest": true}, {"id": "crm", "library": "libCRM.so"}
        """, more: more)
    try world.writeCompanies(count: count, label: label)
    return world
  }

  func writeCompanies(count: Int = 300, label: String = "Company") throws {
    try write(
      (0..<count).map { index in
        Row(
          phone: "+7495\(1_000_000 + index * 7 % 1000)", label: "\(label) \(index)",
          area: ["north", "south", ""][index % 3], kind: index % 5 == 0 ? "both" : "identify")
      }, to: "companies")
  }
}

/// Seeded rows, sources and plans in which everything collides, refused rows included.
struct RandomWorld {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func rows(_ most: Int = 60) -> [World.Row] {
    (0..<Int.random(in: 0...most, using: &random)).map { index in
      World.Row(
        phone: Int.random(in: 0..<12, using: &random) == 0
          ? ["", "none", "12", "+7495"].randomElement(using: &random) ?? ""
          : "+7495123450\(Int.random(in: 0...9, using: &random))",
        label: Int.random(in: 0..<6, using: &random) == 0 ? "" : "label \(index)",
        area: ["", "north", "south"].randomElement(using: &random) ?? "",
        kind: ["identify", "identify", "block", "both", "allow", "remove"].randomElement(using: &random) ?? "")
    }
  }

  /// Writes two sources and a plan of two to four providers in a random order, with limits where there is room to spill.
  mutating func write(to world: World, overlaps: String) throws {
    for source in ["a", "b"] { try world.write(rows(), to: source) }
    let claims = [
      "\"areas\": [\"north\"]", "\"areas\": [\"south\"]", "\"sources\": [\"a\"]", "\"sources\": [\"b\"]",
      "\"prefixes\": [\"+74951\"]",
    ]
    var providers = ["north", "south", "more"].shuffled(using: &random)
      .prefix(Int.random(in: 1...3, using: &random)).map { id -> String in
        let claim = claims.randomElement(using: &random) ?? ""
        let limit =
          Bool.random(using: &random)
          ? ", \"limit\": \(Int.random(in: 1...8, using: &random)), \"spillsTo\": [\"rest\"]" : ""
        return "{\"id\": \"\(id)\", \"mayBeEmpty\": true, \(claim)\(limit)}"
      }
    providers.insert("{\"id\": \"rest\", \"rest\": true}", at: Int.random(in: 0...providers.count, using: &random))
    try world.plan(
      sources: ["a", "b"], providers: providers.joined(separator: ", "), more: "\"overlaps\": \"\(overlaps)\",")
  }
}
