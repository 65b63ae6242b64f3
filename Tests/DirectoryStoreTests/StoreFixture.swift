import CallDirectory
import CallLookup
import Digests
import DirectoryStore
import Foundation
import ShardFormat
import ShardWriting
import TestSupport

/// A store in a folder of its own, with a folder of published shards and one of libraries beside it.
struct StoreFixture {
  /// The folder that holds everything.
  let root: String
  let store: DirectoryStore
  private let owner: TemporaryFolder?

  init() throws {
    let folder = try TemporaryFolder()
    for name in ["plan/shards", "plan/Plugins"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    self.init(root: folder.path, owner: folder)
  }

  /// A fixture that another process made and removes.
  init(adopting root: String) { self.init(root: root, owner: nil) }

  private init(root: String, owner: TemporaryFolder?) {
    self.root = root
    self.owner = owner
    store = DirectoryStore(
      folder: "\(root)/plan/.shardctl", base: "\(root)/plan", planIdentity: "test-plan", planName: "test",
      libraryFolders: ["\(root)/plan/Plugins"])
  }

  /// The path of `name` in the fixture's folder.
  func path(_ name: String) -> String { "\(root)/\(name)" }

  static let plan = FrozenPlan(name: "test", identity: "test-plan", title: "Test", country: "RU")

  /// The plan with the given providers, which have no library to look for.
  static func entries(_ ids: String...) -> [StoreTransaction.PlanEntry] {
    ids.map { .init(id: id($0), title: "Title of \($0)", library: nil) }
  }

  /// Writes what `provider` knows as a published shard.
  func publish(_ provider: ReferencePhone.Provider, as name: String) throws -> PlannedShard {
    let path = path("plan/shards/\(name).shard")
    let writer = try FamilyMergingShardWriter(path)
    try Self.deliver(provider, to: writer)
    let summary = try writer.finish()
    return PlannedShard(shard: try Shard(path), path: "shards/\(name).shard", digest: summary.fileDigest)
  }

  /// A shard that was published already.
  func published(_ name: String) throws -> PlannedShard {
    let shard = try Shard(path("plan/shards/\(name).shard"))
    return PlannedShard(shard: shard, path: "shards/\(name).shard", digest: shard.fileDigest())
  }

  /// Gives both families of `provider` in ascending order, interleaved by `seed`.
  static func deliver(_ provider: ReferencePhone.Provider, to sink: any EntrySink, seed: UInt64 = 0) throws {
    var random = SeededGenerator(seed: seed)
    var blocked = provider.blocked.sorted()[...]
    var labelled = provider.labels.sorted { $0.key < $1.key }.flatMap { entry in entry.value.map { (entry.key, $0) } }[
      ...]
    while !blocked.isEmpty || !labelled.isEmpty {
      if labelled.isEmpty || (!blocked.isEmpty && Bool.random(using: &random)) {
        try sink.addBlocking(blocked.removeFirst())
      } else {
        let (number, label) = labelled.removeFirst()
        try Array(label.utf8).withUnsafeBytes { try sink.addIdentification(number, label: $0) }
      }
    }
  }

  /// Loads `provider` in `transaction`, as the host does after it accepted everything.
  func load(
    _ provider: ReferencePhone.Provider, in transaction: StoreTransaction, planned: PlannedShard? = nil,
    seed: UInt64 = 0
  ) throws -> StoredGeneration {
    let recorder = transaction.makeRecorder(for: provider.id, planned: planned)
    try Self.deliver(provider, to: recorder, seed: seed)
    let staged = try recorder.finish()
    return StoredGeneration(
      content: staged.content,
      receipt: LoadReceipt(
        counts: staged.counts, digests: staged.digests, plannedShard: planned?.digest, library: nil,
        configuration: nil, loadedAt: 1_764_000_000))
  }

  /// One committed change.
  @discardableResult
  func change(_ body: (StoreTransaction) throws -> Void) throws -> StoreContents {
    let transaction = try store.beginWriting(command: "test", creating: Self.plan)
    try body(transaction)
    try transaction.commit()
    return transaction.contents
  }

  /// A store in which the given providers are planned, loaded and on.
  func install(_ providers: ReferencePhone.Provider...) throws {
    try change { transaction in
      transaction.setPlan(
        Self.plan, providers: providers.map { .init(id: $0.id, title: "Title of \($0.id)", library: nil) })
      for provider in providers {
        try transaction.install(try load(provider, in: transaction), for: provider.id)
      }
    }
  }

  /// The phone as the store says it is now.
  func resolver(includingOff: Bool = false) throws -> CallResolver {
    let opened = try store.open(includingOff: includingOff)
    return CallResolver(
      providers: opened.providers.map {
        InstalledProvider(id: $0.stored.id, title: $0.stored.title, state: $0.state, directory: $0.directory)
      }, contacts: opened.contacts)
  }

  /// The names in the store's folder of generations.
  func generationFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.generationsFolder).sorted()
  }

  /// The state of `id` as `status` would show it.
  func state(of provider: String) throws -> ProviderState? {
    let opened = try store.open(includingOff: true)
    return opened.providers.first { $0.stored.id == id(provider) }.map(opened.shownState)
  }
}

/// An id that the test knows to be valid.
func id(_ text: String) -> ProviderID {
  guard let id = ProviderID(text) else { preconditionFailure("\(text) is no provider id") }
  return id
}

/// A caller that is compared as it is.
func caller(_ number: Int64) -> LookupCandidates {
  LookupCandidates(blocking: [PhoneNumber(number)], identification: [PhoneNumber(number)])
}

extension ReferencePhone.Provider {
  /// A provider that blocks `blocked` and labels `labelled` with a text that names it.
  init(_ name: String, blocks blocked: [Int64] = [], labels labelled: [Int64] = []) {
    self.init(
      DirectoryStoreTests.id(name), blocked: Set(blocked.map { PhoneNumber($0) }),
      labels: Dictionary(uniqueKeysWithValues: labelled.map { (PhoneNumber($0), ["\($0) of \(name)"]) }))
  }
}

extension StoredProvider.Failure {
  /// A failure with one of the manager's codes.
  init(_ code: PhoneError.ManagerCode, _ text: String = "test") {
    self.init(error: PhoneError(code), text: text, failedAt: 1_764_000_000)
  }
}
