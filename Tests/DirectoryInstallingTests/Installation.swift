import CallDirectory
import DirectoryInstalling
import DirectoryPublishing
import DirectoryStore
import Foundation
import PlanFile
import ProviderHost
import ShardFormat
import TestSupport

/// The folder with this package's built programs and libraries: where the test runner is.
private let products: String =
  URL(fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/nowhere")
  .deletingLastPathComponent().path

/// A plan, its rows, its releases and its phone in a folder of their own, with the real host.
final class Installation {
  static let isBuilt = ["shardctl-provider-host", "libShardProvider.so", "libSpamList.so"]
    .allSatisfy { FileManager.default.fileExists(atPath: "\(products)/\($0)") }
  static let absence: String = "the host and the provider libraries are not beside the test runner"

  let folder: TemporaryFolder
  /// The members of each provider in the plan, by id, in plan order.
  var providers: [(id: String, members: String)]
  /// Further members of the plan.
  var more = ""
  /// Labels of the rows of area `a` and `b`.
  var labels = ["a": "A", "b": "B"]

  init(_ providers: [(id: String, members: String)]) throws {
    folder = try TemporaryFolder()
    self.providers = providers
    try FileManager.default.createDirectory(atPath: folder.path("Plugins"), withIntermediateDirectories: true)
  }

  /// Two planned providers.
  static func twoPlanned() throws -> Installation {
    try Installation([("a", "\"areas\": [\"a\"]"), ("b", "\"areas\": [\"b\"]")])
  }

  static func faulty(_ options: String) throws -> String {
    "\"library\": \"\(try FaultyProvider.library())\", \"options\": \(options)"
  }

  var shards: ReleaseFolder { ReleaseFolder(folder.path("shards")) }

  func installer(layout: String? = nil) throws -> DirectoryInstaller {
    let rows = labels.sorted { $0.key < $1.key }.flatMap { area, label in
      (0..<20).map { "+749500\(area == "a" ? 1 : 2)\(1000 + $0)\t\(label) \($0)\t\(area)" }
    }
    try folder.write("phone\tname\tarea\n" + rows.joined(separator: "\n") + "\n", to: "rows.tsv")
    let written = providers.map { "{\"id\": \"\($0.id)\", \($0.members)}" }
    let plan = """
      {"schema": 1, "name": "installed", "country": "RU", \(more)
       "sources": [{"id": "rows", "file": "rows.tsv", "number": "phone", "label": "name", "area": "area"}],
       "unclaimed": "drop",
       "providers": [\(written.joined(separator: ",\n"))]}
      """
    let path = folder.path("plan.json")
    if (try? String(contentsOfFile: path, encoding: .utf8)) != plan { try folder.write(plan, to: "plan.json") }
    let whole = try Plan.load(path: path).resolvingPaths()
    return DirectoryInstaller(
      plan: layout.flatMap { whole.using(layout: $0) } ?? whole,
      loader: ProviderLoader(hostExecutable: "\(products)/shardctl-provider-host"), toolFolder: products)
  }

  func begin() throws -> InstallationSession { try installer().begin("test", mayCreate: true) }

  @discardableResult
  func apply(keepGoing: Bool = false) throws -> InstallationSession.Application {
    let installer = try installer()
    let session = try installer.begin("test", mayCreate: true)
    return try session.apply(DirectoryPublisher(installer.plan).stage().candidate, keepGoing: keepGoing)
  }

  /// The ids that an `apply` loads.
  func loaded(keepGoing: Bool = false) throws -> [String] {
    try apply(keepGoing: keepGoing).loads.map(\.id.rawValue)
  }

  func opened() throws -> OpenedStore { try installer().store.open(includingOff: true) }

  func stored(_ id: String) throws -> StoredProvider? { try installer().store.read().provider(Self.id(id)) }

  /// What a provider that is on or off has, as `number label`, blocks without a label.
  func entries(_ id: String) throws -> [String] {
    guard let generation = try stored(id)?.active, let path = try installer().store.path(of: generation) else {
      return []
    }
    var entries: [String] = []
    try Shard(path).forEachEntry { entry in
      entries.append("\(entry.number.rawValue) \(entry.label.map { String(decoding: $0, as: UTF8.self) } ?? "-")")
    }
    return entries
  }

  /// Every file of releases and store with its bytes; locks are none, nor are the containers.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for part in ["shards", ".shardctl"] {
      let walk = FileManager.default.enumerator(atPath: folder.path(part))
      while let name = walk?.nextObject() as? String {
        let path = "\(folder.path(part))/\(name)"
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
          continue
        }
        guard name != ".lock", name != "lock", !name.hasPrefix("containers/") else { continue }
        files["\(part)/\(name)"] = try Data(contentsOf: URL(fileURLWithPath: path))
      }
    }
    return files
  }

  /// Whether every provider of the store can be looked up and the current release is whole.
  func isWhole() throws -> Bool {
    let store = try opened()
    guard let current = try shards.current() else { return false }
    return store.providers.allSatisfy { $0.problem == nil } && shards.verify(current).isEmpty
  }

  /// Copies a built library into the plugins folder.
  func drop(_ library: String, as name: String? = nil) throws {
    try FileManager.default.copyItem(
      atPath: "\(products)/\(library)", toPath: folder.path("Plugins/\(name ?? library)"))
  }

  static func id(_ text: String) -> ProviderID { ProviderID(text) ?? ProviderID("invalid")! }
}

/// The misbehaving provider of `Tests/FaultyProviders`, compiled once.
enum FaultyProvider {
  struct CannotCompile: Error {
    var log: String
  }

  private static let folder = Result { try TemporaryFolder.ofProcess() }
  private static let built = Result { try compile() }

  static func library() throws -> String { try built.get() }

  private static func compile() throws -> String {
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
    let output = try folder.get().path("libFaulty.so")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "clang", "-std=gnu11", "-O1", "-shared", "-fPIC", "-pthread", "-I",
      "\(package)/Sources/CCallDirectory/include", "\(package)/Tests/FaultyProviders/FaultyProvider.c", "-o", output,
    ]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let log = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CannotCompile(log: log) }
    return output
  }
}
