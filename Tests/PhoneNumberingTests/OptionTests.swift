import CallDirectory
import PhoneNumbering
import Testing

@Suite("The keys of a source change how its numbers are read")
struct OptionTests {
  @Test("numbersAre international: a calling code comes first, with or without +")
  func international() {
    let rows: [(String, Int64)] = [
      ("12025550123", 12_025_550_123), ("33199000001", 33_199_000_001), ("0044 20 7946 0001", 442_079_460_001),
      ("+49 30 23125001", 493_023_125_001), ("44 0161 4960001", 441_614_960_001),
    ]
    for (text, number) in rows {
      #expect(verdict(text, nil) { $0.interpretation = .international }.number == number, "\(text)")
      #expect(verdict(text, "FR") { $0.interpretation = .international }.number == number, "\(text)")
    }
    #expect(verdict("0161 4960001", "GB") { $0.interpretation = .international } == .refused(.unknownCallingCode))
  }

  @Test("numbersAre national: first digits that look like the calling code are national")
  func national() {
    #expect(verdict("74956211963", "RU") { $0.interpretation = .national } == .refused(.notPossible))
    #expect(verdict("84956211963", "RU") { $0.interpretation = .national }.number == 74_956_211_963)
    #expect(verdict("+441614960001", "RU") { $0.interpretation = .national }.number == 441_614_960_001)
    #expect(verdict("380441234567", "RU") { $0.interpretation = .national } == .refused(.notPossible))
  }

  @Test("B-010: a source's own international prefixes take the place of its country's")
  func internationalPrefixes() {
    let change: (inout NormalisationOptions) -> Void = { $0.internationalPrefixes = ["810", "011"] }
    #expect(verdict("011 44 20 7946 0001", "DE", change).number == 442_079_460_001)
    #expect(verdict("8 10 44 20 7946 0001", nil, change).number == 442_079_460_001)
    #expect(verdict("0044 20 7946 0001", nil, change) == .refused(.nationalWithoutCountry))
    #expect(
      verdict("0044 20 7946 0001", nil) { $0.internationalPrefixes = ["", "x"] } == .refused(.nationalWithoutCountry))
  }

  @Test("B-028, B-030, B-032: an extension is dropped, appended within 15 digits, or refused")
  func extensions() {
    #expect(
      verdict("+1 202 555 0123 x136") { $0.extensionHandling = .append }
        == .number(12_025_550_123_136, .extensionAppended))
    #expect(
      verdict("+4930231250;ext=01") { $0.extensionHandling = .append }
        == .number(493_023_125_001, .extensionAppended))
    #expect(verdict("+12025550123 x1234") { $0.extensionHandling = .append }.number == 120_255_501_231_234)
    #expect(verdict("+12025550123 x12345") { $0.extensionHandling = .append } == .refused(.extensionTooLong))
    #expect(
      verdict("+12025550123 x99999999999999999999") { $0.extensionHandling = .append } == .refused(.extensionTooLong))
    #expect(verdict("+1 202 555 0123 x136") { $0.extensionHandling = .refuse } == .refused(.extensionRefused))
    #expect(verdict("+12025550123,136") { $0.extensionHandling = .refuse } == .refused(.extensionRefused))
  }

  @Test("numberRemarks strip: words behind a number are left out, with what their brackets hold")
  func remarks() {
    let strip: (inout NormalisationOptions) -> Void = { $0.remarkHandling = .strip }
    let number = Verdict.number(78_129_041_505, .remarkStripped)
    #expect(verdict("88129041505 (единая справочная - пн-вс 10:00-22:00)", "RU", strip) == number)
    #expect(verdict("88129041505 (10:00-22:00, справочная)", "RU", strip) == number)
    #expect(verdict("88129041505, справочная", "RU", strip) == number)
    for text in ["+78129041505 # Survey spam", "+78129041505 # calls twice, 2024-01-02", "+78129041505 ＃ реклама"] {
      #expect(verdict(text, nil, strip) == number, "\(text)")
      #expect(verdict(text, nil) == .refused(.remark), "\(text)")
    }
    #expect(verdict("+78129041505 #136", nil, strip) == .number(78_129_041_505, .extensionDropped))
    #expect(verdict("справочная 88129041505", "RU", strip) == .refused(.letters))
    #expect(verdict("8812904l505 справочная", "RU", strip) == .refused(.letters))
    #expect(verdict("88129041505 # \"Здоровье\", 24 часа", "RU", strip) == number)
    #expect(verdict("88129041505\t# справочная", "RU", strip) == number)
    #expect(verdict("88129041505 # справочная", "RU") == .refused(.remark))
    #expect(verdict("88129041505 # 12", "RU", strip) == .number(78_129_041_505, .extensionDropped))
    #expect(verdict("88129041505 #12", "RU", strip) == .number(78_129_041_505, .extensionDropped))
    #expect(verdict("88129041505# справочная", "RU", strip) == number)
  }

  @Test("B-037, B-039: short codes stand for themselves only where the source says so")
  func shortCodes() {
    let allow: (inout NormalisationOptions) -> Void = { $0.shortCodes = true }
    for code: Int64 in [112, 911, 2468, 12306, 95030] {
      for region in ["CN", "DE", "RU", "GB", nil] {
        #expect(verdict("\(code)", region, allow) == .number(code, .shortCode), "\(code) \(region ?? "–")")
      }
    }
    #expect(verdict("12", "RU", allow) == .refused(.tooShort))
    #expect(verdict("030", "DE", allow) == .refused(.tooShort))
    #expect(verdict("+112", "DE", allow) == .refused(.tooShort))
    #expect(verdict("84956211963", "RU", allow).number == 74_956_211_963)
  }

  @Test("invalid UTF-8 is refused, wherever it stands, and nothing is read behind the end")
  func invalidText() {
    let good = Array("+1 202 555 0123 ".utf8)
    let bad: [[UInt8]] = [
      [0x80], [0xC3], [0xC0, 0xB0], [0xE0, 0x80, 0xB0], [0xF0, 0x80, 0x80, 0xB0], [0xE2, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xFF],
    ]
    let normaliser = PhoneNormaliser(NormalisationOptions(region: RegionCode("US")))
    for bytes in bad {
      for text in [bytes + good, good + bytes] {
        let outcome = text.withUnsafeBytes { normaliser.outcome(of: $0) }
        #expect(outcome == .failure(.invalidText), "\(bytes)")
      }
    }
    #expect(normaliser.outcome(of: UnsafeRawBufferPointer(start: nil, count: 0)) == .failure(.empty))
  }

  @Test("every refusal and every note has words of its own")
  func words() {
    #expect(Set(NumberRefusal.allCases.map(\.reason)).count == NumberRefusal.allCases.count)
    #expect(NumberRefusal.allCases.allSatisfy { !$0.reason.isEmpty && !$0.reason.contains("\t") })
    let every = NormalisationNotes.all.reduce(into: NormalisationNotes()) { $0.formUnion($1.note) }
    #expect(every.rawValue.nonzeroBitCount == NormalisationNotes.all.count)
    #expect(
      NormalisationNotes([.missingPlus, .unassigned]).description
        == "missing +, read as international; not an assigned number range")
  }
}
