import CallDirectory
import CallLookup
import Digests
import DirectoryStore
import Foundation
import ShardFormat
import TestSupport
import Testing

@Suite struct GenerationRecorderTests {
  private let fixture: StoreFixture
  private let provider = ReferencePhone.Provider("a", blocks: [5, 6, 9], labels: [4, 5, 9, 12])

  init() throws { fixture = try StoreFixture() }

  @Test(
    "what the planned shard says, however interleaved, becomes a link and writes nothing",
    arguments: 0...9 as ClosedRange<UInt64>)
  func link(seed: UInt64) throws {
    let planned = try fixture.publish(provider, as: "a-1")
    try fixture.change { transaction in
      transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("a"))
      let generation = try fixture.load(provider, in: transaction, planned: planned, seed: seed)
      #expect(generation.content == .link(path: "shards/a-1.shard", digest: planned.digest))
      #expect(generation.receipt.counts == EntryCounts(blocking: 3, identification: 4))
      #expect(generation.receipt.digests == planned.shard.contentDigests)
      #expect(try fixture.generationFiles() == [])
      try transaction.install(generation, for: id("a"))
    }
    #expect(try fixture.store.read().linkedFiles == ["shards/a-1.shard"])
    try checkInstalled(provider)
  }

  @Test(
    "any difference from the planned shard, wherever it is, becomes a shard of the store's own that says what came",
    arguments: 0...60 as ClosedRange<UInt64>)
  func difference(seed: UInt64) throws {
    let planned = try fixture.publish(provider, as: "a-1")
    var random = SeededGenerator(seed: seed)
    var delivered = provider
    repeat {
      let number = PhoneNumber(Int64.random(in: 1...14, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: delivered.blocked.insert(number)
      case 1: delivered.blocked.remove(number)
      case 2: delivered.labels[number] = Bool.random(using: &random) ? ["another"] : ["\(number) of b"]
      default: delivered.labels[number] = nil
      }
    } while delivered.blocked == provider.blocked && delivered.labels == provider.labels
    try fixture.change { transaction in
      transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("a"))
      let generation = try fixture.load(delivered, in: transaction, planned: planned, seed: seed)
      #expect(generation.content == .own(name: "a-1-1.shard"), "seed \(seed)")
      let blocking = ContentDigest()
      for number in delivered.blocked.sorted() { blocking.append(number.rawValue) }
      let identification = ContentDigest()
      for (number, labels) in delivered.labels.sorted(by: { $0.key < $1.key }) {
        for label in labels { Array(label.utf8).withUnsafeBytes { identification.append(number.rawValue, label: $0) } }
      }
      #expect(generation.receipt.digests.blocking == blocking.finish())
      #expect(generation.receipt.digests.identification == identification.finish())
      try transaction.install(generation, for: id("a"))
    }
    try checkInstalled(delivered)
  }

  @Test(
    "a load that ends before the planned shard does is not taken for it",
    arguments: [(2, 4), (3, 3), (0, 1), (1, 0), (3, 0), (0, 4)])
  func endsEarly(blocking: Int, identification: Int) throws {
    let planned = try fixture.publish(provider, as: "a-1")
    var delivered = provider
    delivered.blocked = Set(provider.blocked.sorted().prefix(blocking))
    for number in provider.labels.keys.sorted().dropFirst(identification) { delivered.labels[number] = nil }
    try fixture.change { transaction in
      transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("a"))
      try transaction.install(try fixture.load(delivered, in: transaction, planned: planned), for: id("a"))
    }
    #expect(try fixture.generationFiles().count == 1)
    try checkInstalled(delivered)
  }

  @Test("a provider with data of its own is stored without a planned shard")
  func own() throws {
    try fixture.install(provider)
    #expect(try fixture.generationFiles() == ["a-1-1.shard"])
    try checkInstalled(provider)
  }

  @Test("a load without entries is empty whatever was planned")
  func nothing() throws {
    let planned = try fixture.publish(provider, as: "a-1")
    let transaction = try fixture.store.beginWriting(command: "test", creating: StoreFixture.plan)
    for shard in [planned, nil] {
      #expect(try fixture.load(.init("a"), in: transaction, planned: shard).content == .empty)
    }
  }

  @Test("R-INC-5: with repeats allowed a number keeps several labels, the first one shown")
  func repeats() throws {
    let transaction = try fixture.store.beginWriting(command: "test", creating: StoreFixture.plan)
    transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("a"))
    let recorder = transaction.makeRecorder(for: id("a"), planned: nil, allowsRepeats: true)
    for label in ["new", "old"] {
      try Array(label.utf8).withUnsafeBytes { try recorder.addIdentification(PhoneNumber(5), label: $0) }
    }
    let staged = try recorder.finish()
    #expect(staged.counts == EntryCounts(blocking: 0, identification: 2))
    let receipt = LoadReceipt(
      counts: staged.counts, digests: staged.digests, plannedShard: nil, library: nil, configuration: nil, loadedAt: 0)
    try transaction.install(StoredGeneration(content: staged.content, receipt: receipt), for: id("a"))
    try transaction.commit()
    let decision = try fixture.resolver().resolve(caller(5))
    #expect(decision.label == "new")
    #expect(decision.providers[0].labels == ["new", "old"])
  }

  @Test("recorders of one change may run on threads of their own")
  func parallel() throws {
    let transaction = try fixture.store.beginWriting(command: "test", creating: StoreFixture.plan)
    let providers = (0..<4).map { index in
      ReferencePhone.Provider("p\(index)", blocks: [Int64(index + 1)], labels: Array(100...1_100))
    }
    transaction.setPlan(
      StoreFixture.plan, providers: providers.map { .init(id: $0.id, title: "", library: nil) })
    let recorders = providers.map { transaction.makeRecorder(for: $0.id, planned: nil) }
    let staged = Collected<StagedGeneration>(count: providers.count)
    DispatchQueue.concurrentPerform(iterations: providers.count) { index in
      try? StoreFixture.deliver(providers[index], to: recorders[index])
      if let result = try? recorders[index].finish() { staged.set(index, result) }
    }
    for (provider, generation) in zip(providers, staged.values) {
      let generation = try #require(generation)
      let receipt = LoadReceipt(
        counts: generation.counts, digests: generation.digests, plannedShard: nil, library: nil, configuration: nil,
        loadedAt: 0)
      try transaction.install(StoredGeneration(content: generation.content, receipt: receipt), for: provider.id)
    }
    try transaction.commit()
    let resolver = try fixture.resolver()
    let phone = ReferencePhone(providers)
    for number: Int64 in [1, 2, 3, 4, 5, 100, 1_100] {
      let decision = resolver.resolve(caller(number))
      let expected = phone.decide(PhoneNumber(number))
      #expect(decision.label == expected.label)
      #expect(decision.blockedBy == expected.blockedBy)
    }
  }

  @Test("while a recorder may still write, the store stays locked, also after its transaction has gone")
  func recorderHoldsLock() throws {
    var transaction: StoreTransaction? = try fixture.store.beginWriting(command: "test", creating: StoreFixture.plan)
    let recorder = transaction?.makeRecorder(for: id("a"), planned: nil)
    transaction = nil
    #expect { try fixture.change { _ in } } throws: { ($0 as? StoreError)?.kind == .locked }
    recorder?.abort()
    try fixture.change { _ in }
  }

  private func checkInstalled(_ expected: ReferencePhone.Provider) throws {
    let opened = try fixture.store.open()
    let directory = try #require(opened.providers.first?.directory)
    let model = ReferenceDirectory(expected)
    #expect(directory.counts == model.counts)
    for value: Int64 in 0...16 {
      let number = PhoneNumber(value)
      #expect(directory.find(number) == model.find(number), "\(number)")
      #expect(directory.labels(of: number) == model.labels(of: number), "\(number)")
    }
  }
}

extension DirectoryReading {
  /// All labels of a number.
  func labels(of number: PhoneNumber) -> [String] {
    var labels: [String] = []
    forEachLabel(of: number) { labels.append(String(decoding: $0, as: UTF8.self)) }
    return labels
  }
}

/// Results of threads by index.
final class Collected<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: [Value?]

  init(count: Int) { stored = Array(repeating: nil, count: count) }

  func set(_ index: Int, _ value: Value) { lock.withLock { stored[index] = value } }

  var values: [Value?] { lock.withLock { stored } }
}
