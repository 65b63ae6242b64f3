import Testing

@testable import ProviderHost

@Suite struct CapturedTextTests {
  private func captured(_ text: String, limit: Int, piece: Int) -> CapturedText {
    var captured = CapturedText(limit: limit)
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: piece) {
      bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { captured.append($0) }
    }
    return captured
  }

  @Test(arguments: [1, 3, 100])
  func `the beginning and the end are kept, the middle is counted`(piece: Int) {
    #expect(captured("0123456789", limit: 10, piece: piece).text == "0123456789")
    #expect(captured("0123", limit: 10, piece: piece).text == "0123")
    #expect(captured("0123456789abcdef", limit: 10, piece: piece).text == "01234\n… 6 bytes left out …\nbcdef")
    #expect(captured("anything", limit: 0, piece: piece).text == "\n… 8 bytes left out …\n")
  }

  @Test func `last words are found wherever the ring begins`() {
    let text = String(repeating: "x", count: 73) + "failed to allocate 9 bytes"
    for limit in [64, 66, 80, 1000] {
      #expect(captured(text, limit: limit, piece: 5).endContains("failed to allocate"))
      #expect(!captured(text, limit: limit, piece: 5).endContains("no such words"))
    }
    #expect(captured("failed to allocate", limit: 1000, piece: 5).endContains("failed to allocate"))
  }
}
