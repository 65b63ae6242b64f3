import CallDirectory
import PhoneNumbering
import Testing

@Suite("A caller is compared as the phone compares it")
struct CallerMatchingTests {
  private func candidates(_ text: String, _ region: String?) -> ([Int64], [Int64]) {
    let found = CallerMatching.candidates(for: text, region: region.flatMap { RegionCode($0) })
    return (found.blocking.map(\.rawValue), found.identification.map(\.rawValue))
  }

  @Test("SEMANTICS case 12: on a Turkish line 0212 000 00 01 matches identification 902120000001")
  func turkishLine() {
    let found = candidates("0212 000 00 01", "TR")
    #expect(found.1 == [902_120_000_001])
    #expect(found.0 == [2_120_000_001, 902_120_000_001])
  }

  @Test("R-MAT-1: what is not digits, white space, punctuation or + matches nothing")
  func canonicalText() {
    for text in ["", "+", "()", "12a4567890", "+12025550123 x7", "private", "2025550123€", "１２x", "\u{301}2025550123"] {
      let found = candidates(text, "US")
      #expect(found.0.isEmpty && found.1.isEmpty, "\(text)")
    }
    #expect(candidates("\u{202A}+1 (202) 555-0123\u{202C}", nil).0 == [12_025_550_123])
    #expect(candidates("٢٠٢٥٥٥٠١٢٣", "US").1 == [12_025_550_123])
  }

  @Test("R-MAT-2: the E.164 value where the number parses, else the digits, then the line's calling code in front")
  func identification() {
    #expect(candidates("+33 1 99 00 00 01", "FR").1 == [33_199_000_001])
    #expect(candidates("01 99 00 00 01", "FR").1 == [33_199_000_001])
    #expect(candidates("84956211963", "RU").1 == [74_956_211_963])
    #expect(candidates("74956211963", "RU").1 == [74_956_211_963])
    #expect(candidates("031 000 00 01", "CH").1 == [41_310_000_001])
    #expect(candidates("81 0 44 20 7946 0001", "RU").1 == [442_079_460_001])
    // Too short for a Turkish number: the digits, then calling code and number without trunk prefix.
    #expect(candidates("0212 000 00", "TR").1 == [21_200_000, 9_021_200_000])
    // A + says that there is an international prefix.
    #expect(candidates("+999 1234567", "TR").1 == [9_991_234_567])
  }

  @Test("R-MAT-3: the digits as received, then the E.164 value of the region")
  func blocking() {
    #expect(candidates("84956211963", "RU").0 == [84_956_211_963, 74_956_211_963])
    #expect(candidates("+74956211963", "RU").0 == [74_956_211_963])
    #expect(candidates("0212 000 00", "TR").0 == [21_200_000])
  }

  @Test("R-MAT-4: fewer than seven digits are compared as they are")
  func shortNumbers() {
    for text in ["112", "+112", "91 16 00", "000911"] {
      let value = Int64(text.filter(\.isNumber)) ?? 0
      #expect(candidates(text, "DE").0 == [value] && candidates(text, "DE").1 == [value], "\(text)")
    }
    #expect(candidates("4002", "NU").1 == [4002])
  }

  @Test("R-MAT-5: without a region the digits are compared, and the E.164 value of an international text")
  func withoutRegion() {
    #expect(candidates("01 99 00 00 01", nil).1 == [199_000_001])
    #expect(candidates("0044 20 7946 0001", nil).1 == [442_079_460_001])
    #expect(candidates("12025550123", nil).0 == [12_025_550_123])
  }

  @Test("R-ENT-2: digits beyond Int64 match nothing and do not trap")
  func longCallers() {
    #expect(candidates("9223372036854775807", nil).0 == [Int64.max])
    #expect(candidates("9223372036854775808", nil).0.isEmpty)
    #expect(candidates(String(repeating: "9", count: 40), "DE").0.isEmpty)
    #expect(candidates(String(repeating: "9", count: 4000), "DE").1.isEmpty)
  }

  @Test("B-045: the E.164 value of a caller is the number a source row gives", arguments: SpellingTests.russia)
  func sameAsSources(_ row: Spelling) {
    guard case .number(let number, _) = row.verdict else { return }
    #expect(candidates(row.text, row.region).1.first == number)
  }
}
