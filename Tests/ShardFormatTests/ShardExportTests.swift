import CallDirectory
import Foundation
import ShardFormat
import ShardWriting
import SystemSupport
import TestSupport
import Testing

@Suite struct ShardExportTests {
  @Test func `A row is number, label and action, with tabs, line ends and backslashes escaped`() throws {
    let folder = try TemporaryFolder()
    let rows = [
      Row(number: 1, isBlocked: true, label: nil), Row(number: 112, isBlocked: false, label: "a\tb\nc\rd\\e"),
      Row(number: 74_951_234_567, isBlocked: true, label: "Сбер"),
      Row(number: .max, isBlocked: false, label: "\\"),
    ]
    _ = try write(rows, to: folder.path("a"))
    let writer = FileWriter(try OpenFile(folder.path("a.tsv"), .createNew))
    try ShardExport.tsv(try Shard(folder.path("a")), to: writer)
    try writer.flush()
    #expect(
      try String(contentsOfFile: folder.path("a.tsv"), encoding: .utf8) == """
        1\t\tblock
        112\ta\\tb\\nc\\rd\\\\e\tidentify
        74951234567\tСбер\tboth
        9223372036854775807\t\\\\\tidentify

        """)
  }
}
