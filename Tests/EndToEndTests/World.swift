import Foundation
import TestSupport
import Testing

/// A folder with a plan, its rows and its store, in which the tool is run.
final class World {
  let folder: TemporaryFolder

  /// A folder with the given plan and files.
  init(plan: String, _ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    try folder.write(plan, to: "plan.json")
    for (name, text) in files { try folder.write(text, to: name) }
  }

  /// A plan of three planned providers over a table and a list, with what tests add.
  static func plan(providers: String = "", more: String = "", sources: String = "") -> String {
    """
    {"schema": 1, "name": "test", "country": "RU", "overlaps": "keep", \(more)
     "sources": [
       {"id": "companies", "file": "companies.tsv", "number": "phone", "label": "name", "area": "city"},
       {"id": "spam", "file": "spam.txt", "action": "block"}\(sources)],
     "providers": [
       {"id": "moscow", "areas": ["Moscow"]}, {"id": "russia", "countries": ["RU"]}, {"id": "abroad", "rest": true}
       \(providers)]}
    """
  }

  static let companies = """
    phone\tname\tcity
    +7 495 123-45-67\tAlpha\tMoscow
    8 (499) 123-45-68\tBeta\tMoscow
    +78121234567\tGamma\tPetersburg
    +390612345678\tRoma\tRome

    """

  /// That plan with its rows, not applied yet.
  static func small(providers: String = "", more: String = "") throws -> World {
    try World(
      plan: plan(providers: providers, more: more), ["companies.tsv": companies, "spam.txt": "+74951234567\n"])
  }

  /// That plan with a provider whose behaviour a test chooses, third of four.
  static func withFaulty(_ options: String, more: String = "") throws -> World {
    let world = try small(providers: faultyEntry(options), more: more)
    try world.link(FaultyProvider.library(), as: "Plugins/libFaulty.so")
    return world
  }

  /// Gives the faulty provider of `withFaulty` other options.
  func setFaulty(_ options: String, more: String = "") throws {
    try folder.write(Self.plan(providers: Self.faultyEntry(options), more: more), to: "plan.json")
  }

  private static func faultyEntry(_ options: String) -> String {
    """
    , {"id": "faulty", "library": "libFaulty.so", "options": \(options)}
    """
  }

  /// Copies the file `source` into the folder.
  func link(_ source: String, as name: String) throws {
    let target = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.copyItem(atPath: source, toPath: target.path)
  }

  // MARK: Runs

  /// Runs the tool here.
  func run(_ arguments: String..., input: String? = nil) throws -> ToolRun {
    try ToolRun(arguments, in: folder.path, input: input)
  }

  /// Runs the tool here and expects success.
  @discardableResult
  func succeed(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> ToolRun {
    let run = try ToolRun(arguments, in: folder.path)
    try #require(run.signal == nil && run.status == 0, "\(arguments)\n\(run)", sourceLocation: sourceLocation)
    return run
  }

  /// Looks the numbers up in one batch.
  func lookup(_ queries: [String], _ options: [String] = []) throws -> [ReferencePhone.Decision] {
    let input = queries.map { "\($0)\n" }.joined()
    let run = try ToolRun(["lookup", "--batch", "-"] + options, in: folder.path, input: input)
    try #require(run.status == 0 && run.signal == nil, "\(run)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(lines.count == queries.count, "\(run)")
    return lines.map { ReferencePhone.Decision(batchLine: $0) }
  }

  /// Looks one number up in a batch of its own.
  func lookup(_ query: String, _ options: String...) throws -> ReferencePhone.Decision {
    try lookup([query], options)[0]
  }

  /// The decision in words for tables: `blocked by A, label from B`.
  func words(_ query: String, _ options: String...) throws -> String { try lookup([query], options)[0].words }

  /// What `status --json` says of a provider.
  func status(_ id: String) throws -> [String: Any] {
    let providers = try #require(succeed("status", "--json").json()["providers"] as? [[String: Any]])
    return try #require(providers.first { $0["id"] as? String == id })
  }

  // MARK: State

  /// Every file that the last good state consists of, by its path.
  func state() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for root in ["shards", ".shardctl/store.json", ".shardctl/generations"] {
      for path in ([root] + (FileManager.default.subpaths(atPath: folder.path(root)) ?? []).map { "\(root)/\($0)" }) {
        guard path != "shards/.lock", let bytes = FileManager.default.contents(atPath: folder.path(path)) else {
          continue
        }
        files[path] = bytes
      }
    }
    return files
  }

  /// The current release's manifest.
  func manifest() throws -> [String: Any] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("shards/manifest.json")))
    return try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  /// The current release's shard files, by provider.
  func shards() throws -> [String: String] {
    let providers = try #require(manifest()["providers"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: providers.compactMap { provider in
        guard let id = provider["id"] as? String, let file = provider["file"] as? String else { return nil }
        return (id, "shards/\(file)")
      })
  }
}

extension ReferencePhone.Decision {
  /// A line of `lookup --batch`.
  init(batchLine: Substring) {
    let fields = batchLine.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 6 else {
      self.init("not six fields: \(batchLine)")
      return
    }
    self.init(
      fields[2], blockedBy: fields[3].isEmpty ? nil : id(fields[3]),
      label: fields[4].isEmpty ? nil : unescaped(fields[4]), labelFrom: fields[5].isEmpty ? nil : id(fields[5]))
  }

  var words: String {
    var words = kind
    if let blockedBy { words += " by \(blockedBy)" }
    if let label { words += ", \(label)" }
    if let labelFrom { words += " from \(labelFrom)" }
    return words
  }
}

/// The text of a field in which `\t \n \r \\` stand for themselves.
func unescaped(_ field: String) -> String {
  var text = ""
  var isEscaped = false
  for character in field.unicodeScalars {
    if isEscaped {
      let letters: [Unicode.Scalar: Unicode.Scalar] = ["t": "\t", "n": "\n", "r": "\r"]
      text.unicodeScalars.append(letters[character] ?? character)
      isEscaped = false
    } else if character == "\\" {
      isEscaped = true
    } else {
      text.unicodeScalars.append(character)
    }
  }
  return text
}
