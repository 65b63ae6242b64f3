import CallDirectory
import Foundation
import ProviderHost
import ShardWriting
import TestSupport
import Testing

/// Takes down what a load gave.
private final class Collector: EntrySink {
  var blocking: [Int64] = []
  var identification: [String] = []

  func addBlocking(_ number: PhoneNumber) { blocking.append(number.rawValue) }

  func addIdentification(_ number: PhoneNumber, label: UnsafeRawBufferPointer) {
    identification.append("\(number.rawValue) \(String(decoding: label, as: UTF8.self))")
  }
}

/// The folder with this package's built programs and libraries: where the test runner is.
private let products: String =
  URL(fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/nowhere")
  .deletingLastPathComponent().path

private let isBuilt = FileManager.default.isExecutableFile(atPath: "\(products)/shardctl-provider-host")

/// The built providers, each loaded in a process of its own by the real host.
@Suite(.enabled(if: isBuilt, "shardctl-provider-host is not beside the test runner")) struct StandardProviderTests {
  private func load(
    _ library: String, container: String = "/", shard: String? = nil, profile: PhoneProfile.Name = .ios18,
    memoryLimit: Int? = nil
  ) throws -> (result: LoadResult, entries: Collector) {
    let collector = Collector()
    var request = LoadRequest(
      providerID: try #require(ProviderID("tested")), libraryPath: "\(products)/lib\(library).so",
      containerPath: container, shardPath: shard, profile: PhoneProfile(profile))
    if let memoryLimit { request.memoryLimit = memoryLimit }
    let loader = ProviderLoader(hostExecutable: "\(products)/shardctl-provider-host")
    return (loader.load(request, into: collector), collector)
  }

  // MARK: The standard provider

  @Test("B-070, B-071: the standard provider streams a shard of both families in memory that does not grow with it")
  func streams() throws {
    let folder = try TemporaryFolder()
    let writer = try ShardWriter(folder.path("a.shard"))
    var expected = (blocking: [Int64](), identification: [String]())
    for index in 0..<100_000 {
      let number = 74_950_000_000 + Int64(index) * 3
      let label = index % 5 == 4 ? nil : "Компания \(index)"
      let isBlocked = index % 5 == 4 || index % 7 == 0
      if isBlocked { expected.blocking.append(number) }
      if let label { expected.identification.append("\(number) \(label)") }
      var text = label ?? ""
      try text.withUTF8 {
        try writer.append(
          DirectoryEntry(
            number: PhoneNumber(number), isBlocked: isBlocked, label: label == nil ? nil : UnsafeRawBufferPointer($0)))
      }
    }
    _ = try writer.finish()
    let (result, entries) = try load("ShardProvider", shard: folder.path("a.shard"))
    #expect(isAccepted(result.outcome), "\(result.outcome)")
    #expect(entries.blocking == expected.blocking)
    #expect(entries.identification == expected.identification)
    // R-MEM-1: the mapped shard doesn't count.
    #expect(result.peakMemory < 1_500_000, "\(result.peakMemory) bytes")
  }

  @Test func theStandardProviderSaysWhatIsWrongWithItsShard() throws {
    let folder = try TemporaryFolder()
    let missing = try load("ShardProvider", shard: folder.path("none.shard")).result
    #expect("\(missing.outcome)".contains("none.shard: cannot open: No such file or directory"))
    let text = try folder.write("this is no shard at all", to: "text.shard")
    let wrong = try load("ShardProvider", shard: text).result
    #expect(failureCode(wrong.outcome) == 33)
    #expect("\(wrong.outcome)".contains("text.shard: "))
    let none = try load("ShardProvider").result
    #expect(failureCode(none.outcome) == 35)
  }

  @Test func aShardCutAnywhereIsDamagedDataAndNeverACrash() throws {
    let folder = try TemporaryFolder()
    let writer = try ShardWriter(folder.path("a.shard"))
    for number in Int64(1)...300 {
      try Array("label \(number)".utf8).withUnsafeBytes {
        try writer.append(DirectoryEntry(number: PhoneNumber(number), isBlocked: false, label: $0))
      }
    }
    _ = try writer.finish()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a.shard"))))
    for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) {
      let cut = try folder.write(Array(bytes[..<length]), to: "cut.shard")
      #expect(failureCode(try load("ShardProvider", shard: cut).result.outcome) == 33, "cut to \(length)")
    }
  }

  // MARK: The C sample

  @Test func theSpamListSortsAndDropsRepeats() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "\u{FEFF}# spam\n\n+79161234567\r\n  4\n79161234567\n79030000001  \n4\n999999999999999999", to: "blocklist.txt")
    let (result, entries) = try load("SpamList", container: folder.path)
    #expect(isAccepted(result.outcome), "\(result.outcome)")
    #expect(entries.blocking == [4, 79_030_000_001, 79_161_234_567, 999_999_999_999_999_999])
  }

  @Test("R-MEM-1: the spam list stays within the memory of an early phone, whatever its length and order")
  func spamListInBoundedMemory() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 5)
    // More numbers than it holds at a time, in random and in falling order, with repeats over the whole file.
    var numbers = (0..<500_000).map { _ in Int64.random(in: 79_000_000_000...79_000_700_000, using: &generator) }
    numbers += (0..<150_000).map { 78_000_000_000 - Int64($0) }
    try folder.write(numbers.map { "\($0)" }.joined(separator: "\n") + "\n", to: "blocklist.txt")
    let (result, entries) = try load("SpamList", container: folder.path, profile: .ios10)
    #expect(isAccepted(result.outcome), "\(result.outcome)")
    #expect(entries.blocking == Set(numbers).sorted())
    #expect(result.peakMemory < 5_000_000, "\(result.peakMemory) bytes")
  }

  @Test(
    "the spam list names the line it can't read",
    arguments: [
      ("1\n2x\n", ":2: expected a number"), ("1\n2\n\n-3", ":4: expected a number"), ("0\n", ":1: expected a number"),
      ("1\n1234567890123456789\n", ":2: expected a number"), ("1 2\n", ":1: expected a number"),
      ("1\n" + String(repeating: "1", count: 300) + "\n", ":2: longer than 254 bytes"), ("1\n+\n", ":2: expected"),
    ] as [(String, String)])
  func badSpamLine(text: String, expected: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "blocklist.txt")
    let (result, entries) = try load("SpamList", container: folder.path)
    #expect(failureCode(result.outcome) == 33)
    #expect("\(result.outcome)".contains("blocklist.txt\(expected)"), "\(result.outcome)")
    #expect(entries.blocking.isEmpty)
  }

  @Test func theSpamListSaysThatItsFileIsMissing() throws {
    let folder = try TemporaryFolder()
    let outcome = try load("SpamList", container: folder.path).result.outcome
    #expect(failureCode(outcome) == 32)
    #expect("\(outcome)".contains("blocklist.txt: No such file or directory"))
  }

  @Test func anEmptySpamListClearsTheProvider() throws {
    let folder = try TemporaryFolder()
    try folder.write("# nothing yet\n", to: "blocklist.txt")
    let (result, entries) = try load("SpamList", container: folder.path)
    #expect(isAccepted(result.outcome), "\(result.outcome)")
    #expect(entries.blocking.isEmpty)
  }

  // MARK: The Swift sample

  @Test func theLabelListGivesNumbersWithTheirLabels() throws {
    let folder = try TemporaryFolder()
    try folder.write("# ours\n\n+4\tЧетыре\n74951234567\tPizzeria\twith tab\r\n", to: "labels.tsv")
    let (result, entries) = try load("LabelList", container: folder.path)
    #expect(isAccepted(result.outcome), "\(result.outcome)")
    #expect(entries.identification == ["4 Четыре", "74951234567 Pizzeria\twith tab"])
  }

  @Test(
    "the label list names the line it can't read",
    arguments: [
      ("5\ta\n4\tb\n", ":2: 4 does not come after 5"), ("5\ta\n5\tb\n", ":2: 5 does not come after 5"),
      ("5 a\n", ":1: expected a number, a tab"), ("x\ta\n", ":1: expected 1 to 18 digits"),
    ] as [(String, String)])
  func badLabelLine(text: String, expected: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "labels.tsv")
    let outcome = try load("LabelList", container: folder.path).result.outcome
    #expect(failureCode(outcome) == 33)
    #expect("\(outcome)".contains("labels.tsv\(expected)"), "\(outcome)")
  }

  // MARK: All of them

  @Test(arguments: ["ShardProvider", "LabelList", "SpamList"])
  func aProviderExportsOneFunctionAndLinksNoFoundation(library: String) throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "nm -D --defined-only \"$0\" | awk '$2 == \"T\" { print $3 }'; ldd \"$0\" \"$1\"",
      "\(products)/lib\(library).so", "\(products)/shardctl-provider-host",
    ]
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(output.split(separator: "\n").first?.hasPrefix("calldir_provider_entry_v1") == true)
    #expect(output.split(separator: "\n").filter { $0.contains("calldir_") && !$0.contains("/") }.count == 1)
    #expect(output.contains("libc.so"))
    #expect(!output.contains("Foundation"))
  }

  private func isAccepted(_ outcome: LoadOutcome) -> Bool { if case .accepted = outcome { true } else { false } }

  /// The code of a provider's own failure, which is its status unless it chose another.
  private func failureCode(_ outcome: LoadOutcome) -> Int? {
    guard case .failed(_, let code, _) = outcome else { return nil }
    return code
  }
}
