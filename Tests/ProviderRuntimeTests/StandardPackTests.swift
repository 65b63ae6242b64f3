import CallDirectory
import Foundation
import ProviderHost
import ShardPacks
import ShardWriting
import TestSupport
import Testing

private let products: String =
  URL(fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/nowhere")
  .deletingLastPathComponent().path

private let isBuilt = FileManager.default.isExecutableFile(atPath: "\(products)/shardctl-provider-host")

/// The standard provider with packs, loaded in a process of its own by the real host.
@Suite(.enabled(if: isBuilt, "shardctl-provider-host is not beside the test runner")) struct StandardPackTests {
  private final class Collector: EntrySink {
    var blocking: [Int64] = []
    var identification: [Int64: String] = [:]
    var order: [Int64] = []

    func addBlocking(_ number: PhoneNumber) { blocking.append(number.rawValue) }

    func addIdentification(_ number: PhoneNumber, label: UnsafeRawBufferPointer) {
      order.append(number.rawValue)
      identification[number.rawValue] = String(decoding: label, as: UTF8.self)
    }
  }

  /// Packs `0` … in a folder, a container beside them, and what they say.
  private struct Packs {
    let folder: TemporaryFolder
    let container: TemporaryFolder

    /// Number `n` is in pack `n % count` and each seventh in the next one too; every fifth is blocked.
    init(count: Int, numbers: Int, limit: Int = EntryLimit.maximum, sets: [[String]?] = [nil], first: Int64 = 1) throws
    {
      folder = try TemporaryFolder()
      container = try TemporaryFolder()
      var packs: [PackIndex.Pack] = []
      for pack in 0..<count {
        let writer = try ShardWriter(folder.path("\(pack).shard"))
        for number in 0..<numbers where number % count == pack || number % 7 == 0 && (number + 1) % count == pack {
          try Array("label \(number)".utf8).withUnsafeBytes {
            try writer.append(
              DirectoryEntry(number: PhoneNumber(first + Int64(number)), isBlocked: number % 5 == 0, label: $0))
          }
        }
        let summary = try writer.finish()
        packs.append(
          PackIndex.Pack(
            name: Self.name(pack), file: "\(pack).shard", sha256: summary.fileDigest, bytes: summary.byteCount,
            counts: summary.counts))
      }
      let index = PackIndex(
        provider: try #require(ProviderID("tested")), limit: limit, withoutArea: Self.name(0), packs: packs,
        sets: sets.map { PackIndex.Set(packs: $0, counts: EntryCounts()) })
      try folder.write(index.encoded(), to: "index.packs")
    }

    static func name(_ pack: Int) -> String { String("\(1000 + pack)".dropFirst()) }

    func choose(_ packs: [Int]) throws {
      try container.write(
        "{\"packs\": [\(packs.map { "\"\(Self.name($0))\"" }.joined(separator: ", "))]}", to: "installed.json")
    }

    func load(profile: PhoneProfile.Name = .ios18) throws -> (result: LoadResult, entries: Collector) {
      let collector = Collector()
      let request = LoadRequest(
        providerID: try #require(ProviderID("tested")), libraryPath: "\(products)/libShardProvider.so",
        containerPath: container.path, shardPath: folder.path("index.packs"), profile: PhoneProfile(profile))
      return (
        ProviderLoader(hostExecutable: "\(products)/shardctl-provider-host").load(request, into: collector), collector
      )
    }
  }

  @Test func `R-ORD-1, R-ORD-2: the installed packs are one ascending stream without repeats`() throws {
    let packs = try Packs(count: 6, numbers: 20_000)
    for chosen in [nil, [0, 1, 2, 3, 4, 5], [2], [4, 1], []] {
      if let chosen { try packs.choose(chosen) }
      let wanted = chosen ?? [0, 1, 2, 3, 4, 5]
      let numbers = (0..<20_000).filter { number in
        wanted.contains(number % 6) || number % 7 == 0 && wanted.contains((number + 1) % 6)
      }
      let (result, entries) = try packs.load()
      #expect(result.outcome.isAccepted, "\(result.outcome)")
      #expect(entries.order == numbers.map { Int64($0 + 1) })
      #expect(entries.blocking == numbers.filter { $0 % 5 == 0 }.map { Int64($0 + 1) })
      #expect(numbers.allSatisfy { entries.identification[Int64($0 + 1)] == "label \($0)" })
    }
  }

  @Test func `R-MEM-1: memory does not grow with the entries, and a thousand packs fit an early phone`() throws {
    var peaks: [Int] = []
    for numbers in [20_000, 200_000] {
      let (result, entries) = try Packs(count: 20, numbers: numbers).load(profile: .ios10)
      #expect(result.outcome.isAccepted && entries.order.count == numbers)
      peaks.append(result.peakMemory)
    }
    #expect(peaks[1] < peaks[0] + 300_000, "\(peaks)")
    let (result, entries) = try Packs(count: 1000, numbers: 20_000).load(profile: .ios10)
    #expect(result.outcome.isAccepted && entries.order.count == 20_000, "\(result.outcome)")
    #expect(result.peakMemory < 5_500_000, "\(result.peakMemory)")
  }

  @Test
  func `R-CAP-1: packs that are too many together are the phone's error 5, explained, and sets that fit are named`()
    throws
  {
    let packs = try Packs(count: 3, numbers: 300, limit: 200, sets: [["000"], ["001", "002"]])
    #expect(try packs.load().result.outcome.isAccepted, "the first set")
    try packs.choose([0, 1])
    let outcome = try packs.load().result
    guard case .failed(let domain, let code, let message) = outcome.outcome else {
      Issue.record("\(outcome.outcome)")
      return
    }
    #expect(domain == PhoneError.managerDomain && code == 5)
    #expect(outcome.phoneError == PhoneError(.maximumEntriesExceeded))
    #expect(message.contains("the installed packs (000, 001) come to "), "\(message)")
    #expect(
      message.hasSuffix("over the limit of 200; install fewer packs; sets that fit: 000; 001 + 002"), "\(message)")
  }

  @Test func `A choice, a pack or an index that is wrong fails the load with its place`() throws {
    let packs = try Packs(count: 3, numbers: 300)
    func failure() throws -> (code: Int, message: String) {
      guard case .failed(_, let code, let message) = try packs.load().result.outcome else { return (0, "accepted") }
      return (code, message)
    }
    try packs.container.write(#"{"packs": ["01"]}"#, to: "installed.json")
    #expect(try failure().code == 35)
    #expect(
      try failure().message.contains("installed.json:1:12: packs[0]: there is no pack \"01\" of tested; did you mean"))
    try packs.choose([1, 1])
    #expect(try failure().message.contains("the pack \"001\" comes twice"))
    try packs.container.write("{", to: "installed.json")
    #expect(try failure().code == 35)
    try packs.choose([1])
    try packs.folder.write("no shard", to: "1.shard")
    #expect(try failure().code == 33 && failure().message.contains("1.shard: the pack \"001\" is damaged"))
    try FileManager.default.removeItem(atPath: packs.folder.path("1.shard"))
    #expect(try failure().code == 32 && failure().message.contains("1.shard: the pack \"001\" is not there"))
    try packs.choose([0, 2])
    #expect(try failure().message == "accepted", "the others do not need it")
    try packs.folder.write("{}", to: "index.packs")
    #expect(try failure().code == 33 && failure().message.contains("index.packs:1:1: this is no index of packs"))
    try FileManager.default.removeItem(atPath: packs.folder.path("index.packs"))
    #expect(try failure().code == 32)
  }
}
