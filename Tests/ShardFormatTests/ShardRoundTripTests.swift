import CallDirectory
import ShardFormat
import ShardWriting
import TestSupport
import Testing

@Suite struct ShardRoundTripTests {
  @Test func `What is written is what is read`() throws {
    let folder = try TemporaryFolder()
    let writer = try ShardWriter(folder.path("a.shard"))
    let label = Array("Сбербанк".utf8)
    try label.withUnsafeBytes { try writer.append(DirectoryEntry(number: PhoneNumber(5), isBlocked: true, label: $0)) }
    try writer.append(DirectoryEntry(number: PhoneNumber(9), isBlocked: true, label: nil))
    let summary = try writer.finish()
    let shard = try Shard(folder.path("a.shard"))
    try shard.verify()
    #expect(summary.fileDigest == shard.fileDigest())
    #expect(shard.counts == EntryCounts(blocking: 2, identification: 1))
    #expect(shard.find(PhoneNumber(5)) == [.blocked, .identified])
  }
}
