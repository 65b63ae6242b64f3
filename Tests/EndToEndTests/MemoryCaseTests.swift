import Foundation
import TestSupport
import Testing

/// Files larger than the memory there is.
@Suite("Memory") struct MemoryCaseTests {
  /// Kilobytes of private memory that the tool may reserve: what it needs with the least memory for sorting, and the
  /// stacks of its threads.
  private static let ceiling = 40_000 + 10_000 * ProcessInfo.processInfo.activeProcessorCount

  @Test(
    "B-071, B-072: a file larger than the memory that the tool may reserve is imported, in every format that streams",
    arguments: ["csv", "jsonl", "vcf"])
  func largeFile(format: String) throws {
    let folder = try TemporaryFolder()
    let filler = String(repeating: "ё", count: 350)
    let count = (Self.ceiling << 10) / 700 * 5 / 4
    let rows = (0..<count).map { index in
      let phone = "+7495\(9_999_999 - index)"
      return switch format {
      case "csv": "\(phone),\"\(index) \(filler)\"\n"
      case "jsonl": "{\"phone\": \"\(phone)\", \"name\": \"\(index) \(filler)\"}\n"
      default: "BEGIN:VCARD\nVERSION:4.0\nTEL:\(phone)\nFN:\(index) \(filler)\nEND:VCARD\n"
      }
    }
    let path = try folder.write((format == "csv" ? "phone,name\n" : "") + rows.joined(), to: "a.\(format)")
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(size > Self.ceiling << 10)
    try folder.write(
      """
      {"schema": 1, "name": "large", "country": "RU",
       "sources": [{"id": "a", "file": "a.\(format)"\(format == "vcf" ? "" : #", "number": "phone", "label": "name""#)}],
       "providers": [{"id": "all", "rest": true}]}
      """, to: "plan.json")
    let run = try ToolRun(
      shell: "ulimit -d \(Self.ceiling) && shardctl plan --memory 16 --json", in: folder.path)
    try #require(run.status == 0 && run.signal == nil, "\(run)")
    let accounts = try #require(run.json()["accounts"] as? [String: Any])
    #expect(accounts["used"] as? Int == count && accounts["refused"] as? Int == 0)
  }
}
