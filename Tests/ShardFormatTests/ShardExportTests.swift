import CallDirectory
import Foundation
import ShardFormat
import ShardWriting
import SystemSupport
import TestSupport
import Testing

@Suite struct ShardExportTests {
  private static let rows = [
    Row(number: 1, isBlocked: true, label: nil), Row(number: 112, isBlocked: false, label: "a\tb\nc\rd\\e"),
    Row(number: 74_951_234_567, isBlocked: true, label: "Сбер, \"банк\";"),
    Row(number: .max, isBlocked: false, label: "\\"),
  ]

  private func export(_ format: ShardExport.Format, only family: EntryFamily? = nil) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    _ = try write(Self.rows, to: folder.path("a"))
    let writer = FileWriter(try OpenFile(folder.path("out"), .createNew))
    try ShardExport.write(try Shard(folder.path("a")), as: format, only: family, to: writer)
    try writer.flush()
    return Array(try Data(contentsOf: URL(fileURLWithPath: folder.path("out"))))
  }

  @Test(
    arguments: [
      (
        .tsv, nil,
        """
        1\t\tblock
        112\ta\\tb\\nc\\rd\\\\e\tidentify
        74951234567\tСбер, "банк";\tboth
        9223372036854775807\t\\\\\tidentify

        """
      ),
      (.tsv, .blocking, "1\t\tblock\n74951234567\t\tblock\n"),
      (
        .csv, nil,
        "number,label,action\r\n+1,,block\r\n+112,\"a\tb\nc\rd\\e\",identify\r\n"
          + "+74951234567,\"Сбер, \"\"банк\"\";\",both\r\n+9223372036854775807,\\,identify\r\n"
      ),
      (
        .jsonl, nil,
        #"""
        {"number":"+1","label":"","action":"block"}
        {"number":"+112","label":"a\u0009b\u000ac\u000dd\\e","action":"identify"}
        {"number":"+74951234567","label":"Сбер, \"банк\";","action":"both"}
        {"number":"+9223372036854775807","label":"\\","action":"identify"}

        """#
      ),
      (
        .vcard, .identification,
        """
        BEGIN:VCARD
        VERSION:3.0
        FN:a\tb\\nc\\nd\\\\e
        N:a\tb\\nc\\nd\\\\e;;;;
        TEL:+112
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        FN:Сбер\\, "банк"\\;
        N:Сбер\\, "банк"\\;;;;;
        TEL:+74951234567
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        FN:\\\\
        N:\\\\;;;;
        TEL:+9223372036854775807
        END:VCARD

        """.replacingOccurrences(of: "\n", with: "\r\n")
      ),
    ] as [(ShardExport.Format, EntryFamily?, String)])
  func `Each format writes number, label and action as its readers expect them`(
    format: ShardExport.Format, family: EntryFamily?, text: String
  ) throws {
    #expect(String(decoding: try export(format, only: family), as: UTF8.self) == text)
  }

  @Test func `A 2GIS record is length, number and label in little-endian order`() throws {
    let bytes = try export(.twoGIS, only: .identification)
    #expect(Array(bytes.prefix(19)) == [17, 0, 112, 0, 0, 0, 0, 0, 0, 0] + Array("a\tb\nc\rd\\e".utf8))
    #expect(Array(bytes.suffix(11)) == [9, 0, 255, 255, 255, 255, 255, 255, 255, 127, 0x5C])
  }

  @Test(arguments: [ShardExport.Format.twoGIS, .vcard])
  func `A format without blocks refuses a blocked number, by name`(format: ShardExport.Format) throws {
    let refusal = try #require(throws: ShardExport.Refusal.self) { try export(format) }
    #expect(refusal.number.rawValue == 1 && refusal.what.hasPrefix("it is blocked"))
  }
}
