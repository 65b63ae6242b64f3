import CallDirectory
import PhoneNumbering
import Testing

/// Every way a number is written, against the one number it is. Numbers are fictitious.
@Suite("A text becomes the one number it stands for")
struct SpellingTests {
  static let norm: [Spelling] = [
    Spelling("B-001", "+39 06 0000 0001", is: 390_600_000_001),
    Spelling("B-001", "06 0000 0001", "IT", is: 390_600_000_001),
    Spelling("B-002", "+39 6 0000 0001", is: 39_600_000_001, .unassigned),
    Spelling("B-003", "+39 333 000 0001", is: 393_330_000_001),
    Spelling("B-003", "333 000 0001", "IT", is: 393_330_000_001),
    Spelling("B-006", "+992 007 000 001", is: 992_007_000_001),
    Spelling("B-007", "+20 0100 000 0001", is: 201_000_000_001, .spuriousTrunkPrefix),
    Spelling("B-009", "44 0161 4960001", "GB", is: 441_614_960_001, .spuriousTrunkPrefix),
    Spelling("B-009", "(44) 0161 4960001", "GB", is: 441_614_960_001, .spuriousTrunkPrefix),
    Spelling("B-009", "+44 (0)161 4960001", is: 441_614_960_001, .spuriousTrunkPrefix),
    Spelling("B-010", "0044 20 7946 0001", "DE", is: 442_079_460_001),
    Spelling("B-010", "0044 20 7946 0001", is: 442_079_460_001),
    Spelling("B-010", "011 44 20 7946 0001", "US", is: 442_079_460_001),
    Spelling("B-010", "8 10 44 20 7946 0001", "RU", is: 442_079_460_001),
    Spelling("B-010", "8~10 44 20 7946 0001", "RU", is: 442_079_460_001),
    Spelling("B-010", "0011 44 20 7946 0001", "AU", is: 442_079_460_001),
    Spelling("B-014", "01 99 00 00 01", "FR", is: 33_199_000_001),
    Spelling("B-014", "+33 1 99 00 00 01", is: 33_199_000_001),
    Spelling("B-014", "01 99 00 00 01", isRefused: .nationalWithoutCountry),
    Spelling("B-015", "03023125001", isRefused: .nationalWithoutCountry),
    Spelling("B-016", "12025550123", "US", is: 12_025_550_123),
    Spelling("B-017", "+12025550123", is: 12_025_550_123),
    Spelling("B-017", "(202) 555-0123", "US", is: 12_025_550_123),
    Spelling("B-018", "+41 31 000 00 01", is: 41_310_000_001),
    Spelling("B-018", "031 000 00 01", "CH", is: 41_310_000_001),
    Spelling("B-021", "+81 120 000 001", "US", is: 81_120_000_001),
    Spelling("C-14", "+44 20 7946 0001", is: 442_079_460_001),
    Spelling("C-14", "+352 27 00 01", is: 352_270_001),
  ]

  static let russia: [Spelling] = [
    Spelling("RU", "84956211963", "RU", is: 74_956_211_963),
    Spelling("RU", "74956211963", "RU", is: 74_956_211_963),
    Spelling("RU", "+74956211963", "RU", is: 74_956_211_963),
    Spelling("RU", "4956211963", "RU", is: 74_956_211_963),
    Spelling("RU", "(495) 621-19-63", "RU", is: 74_956_211_963),
    Spelling("RU", "+7 (495) 621‑19‑63", "RU", is: 74_956_211_963),
    Spelling("RU", "8 (800) 200-00-01", "RU", is: 78_002_000_001),
    Spelling("RU", "800 200 00 01", "RU", is: 78_002_000_001),
    Spelling("RU", "+7 800 200 00 01", is: 78_002_000_001),
    Spelling("RU", "+7 8 495 621 19 63", is: 74_956_211_963, .spuriousTrunkPrefix),
    Spelling("RU", "8 812 200 00 01", "RU", is: 78_122_000_001),
    Spelling("RU", "621-19-63", "RU", isRefused: .localOnly),
    Spelling("RU", "8495621196", "RU", is: 78_495_621_196),
    Spelling("RU", "849562119631", "RU", isRefused: .notPossible),
    Spelling("RU", "380441234567", "RU", is: 380_441_234_567, .missingPlus),
    Spelling("KZ", "87272000001", "KZ", is: 77_272_000_001),
    Spelling("KZ", "77272000001", "RU", is: 77_272_000_001),
  ]

  static let countries: [Spelling] = [
    Spelling("US", "1 (202) 555-0123", "US", is: 12_025_550_123),
    Spelling("US", "310/246-1501", "US", is: 13_102_461_501),
    Spelling("US", "555-0123", "US", isRefused: .localOnly),
    // Without its 1 this would be too short, so the 1 stays.
    Spelling("US", "1202555012", "US", is: 11_202_555_012),
    Spelling("CA", "(604) 555-0123", "CA", is: 16_045_550_123),
    Spelling("GB", "020 7946 0001", "GB", is: 442_079_460_001),
    Spelling("GB", "20 7946 0001", "GB", is: 442_079_460_001),
    Spelling("DE", "030 23125001", "DE", is: 493_023_125_001),
    Spelling("DE", "06131/23125001", "DE", is: 49_613_123_125_001),
    Spelling("FR", "0199000001", "FR", is: 33_199_000_001),
    Spelling("TR", "0212 000 00 01", "TR", is: 902_120_000_001),
    Spelling("TR", "444 0 001", "TR", is: 904_440_001),
    Spelling("CN", "010-6000 0001", "CN", is: 861_060_000_001),
    Spelling("CN", "138 0000 0001", "CN", is: 8_613_800_000_001),
    Spelling("CN", "400-600-0001", "CN", is: 864_006_000_001),
    Spelling("TW", "(02)27000001", "TW", is: 886_227_000_001),
    Spelling("KR", "02-700-0001", "KR", is: 8_227_000_001),
    Spelling("JP", "03-3000-0001", "JP", is: 81_330_000_001),
    Spelling("VA", "06 698 12345", "VA", is: 390_669_812_345),
    Spelling("JE", "01534 700001", "JE", is: 441_534_700_001),
    Spelling("AG", "268 460 0001", "AG", is: 12_684_600_001),
    Spelling("AG", "460 0001", "AG", is: 12_684_600_001),
    Spelling("NU", "4002", "NU", is: 6_834_002),
  ]

  static let plan: [Spelling] = [
    Spelling("B-022", "+52 55 5000 0001", is: 525_550_000_001),
    Spelling("B-022", "+52 1 55 5000 0001", is: 525_550_000_001, .aliasFolded),
    Spelling("B-023", "+52 1 55 0000 0001", is: 525_500_000_001, .aliasFolded),
    Spelling("B-023", "+52 1 850 536 3984", is: 528_505_363_984, .aliasFolded),
    Spelling("B-023", "1 212 345 6789", "MX", is: 12_123_456_789, .missingPlus),
    Spelling("B-024", "+54 9 11 2345 0001", is: 5_491_123_450_001),
    Spelling("B-024", "+54 11 2345 0001", is: 541_123_450_001),
    Spelling("B-024", "011 15 2345 0001", "AR", is: 5_491_123_450_001),
    Spelling("B-026", "+55 31 9 0000 0001", is: 5_531_900_000_001),
    Spelling("B-026", "+55 31 0000 0001", is: 553_100_000_001),
    Spelling("B-027", "+55 21 0000 0001", is: 552_100_000_001),
    Spelling("B-027", "0 15 21 2000-0001", "BR", is: 552_120_000_001),
  ]

  static let short: [Spelling] = [
    Spelling("B-034", "030", "DE", isRefused: .tooShort),
    Spelling("B-034", "0031 6 0000 0000 0000 0000 1", "NL", isRefused: .tooLong),
    Spelling("B-035", "0", "DE", isRefused: .tooShort),
    Spelling("B-035", "00", "DE", isRefused: .tooShort),
    Spelling("B-035", "0000", "DE", isRefused: .tooShort),
    Spelling("B-035", "0", isRefused: .tooShort),
    Spelling("B-037", "112", "DE", isRefused: .shortCode),
    Spelling("B-039", "2468", "GB", isRefused: .shortCode),
    Spelling("SHORT", "", "RU", isRefused: .empty),
    Spelling("SHORT", " \u{A0}\u{200E}\t", "RU", isRefused: .empty),
    Spelling("SHORT", "-", "RU", isRefused: .noDigits),
    Spelling("SHORT", "None", "RU", isRefused: .noDigits),
    Spelling("SHORT", "нет телефона", "RU", isRefused: .noDigits),
    Spelling("SHORT", "+999 12345678", isRefused: .unknownCallingCode),
    Spelling("SHORT", "+1", isRefused: .tooShort),
    Spelling("SHORT", String(repeating: "1", count: 400), "US", isRefused: .tooLong),
  ]

  static let characters: [Spelling] = [
    Spelling("B-041", "202\u{A0}555-0123", "US", is: 12_025_550_123),
    Spelling("B-041", "202\u{2009}555\u{3000}0123\u{2028}", "US", is: 12_025_550_123),
    Spelling("B-043", "\u{202A}+12025550123\u{202C}", is: 12_025_550_123),
    Spelling("B-043", "\u{FEFF}202\u{AD}555\u{200B}0123\u{2060}", "US", is: 12_025_550_123),
    Spelling("B-046", "+٤٤ ٧٧٠٠ ٩٠٠٠٠١", is: 447_700_900_001),
    Spelling("B-046", "+۴۴ ۷۷۰۰ ۹۰۰۰۰۱", is: 447_700_900_001),
    Spelling("B-046", "+४४ ७७०० ९००००१", is: 447_700_900_001),
    Spelling("C-17", "＋８１３０００００００１", is: 81_300_000_001),
    Spelling("C-17", "＋８１（３）００００－０００１", is: 81_300_000_001),
    Spelling("CHAR", "'+12025550123", is: 12_025_550_123),
    Spelling("CHAR", "=\"02025550123\"", "US", isRefused: .tooLong),
    Spelling("CHAR", "=\"2025550123\"", "US", is: 12_025_550_123),
    Spelling("CHAR", "202\u{2013}555\u{2212}0123", "US", is: 12_025_550_123),
    Spelling("CHAR", "*6193", "IL", isRefused: .symbol),
    Spelling("CHAR", "202 555 0123 €", "US", isRefused: .symbol),
    Spelling("B-048", "92300ab0000001", "PK", isRefused: .letters),
    Spelling("B-048", "1800number", "US", isRefused: .letters),
    Spelling("B-048", "8885O6O539", "US", isRefused: .letters),
    Spelling("B-048", "619448xxxx", "US", isRefused: .letters),
    Spelling("B-048", "828support", "US", isRefused: .letters),
    Spelling("CHAR", "7.4951E+10", "RU", isRefused: .exponent),
    Spelling("CHAR", "7,4951e10", "RU", isRefused: .exponent),
    Spelling("CHAR", "74951234567.0", "RU", isRefused: .decimalFraction),
    Spelling("CHAR", "030123456.0", "DE", isRefused: .decimalFraction),
    Spelling("CHAR", "88129041505 (единая справочная - пн-вс 10:00-22:00)", "RU", isRefused: .remark),
    Spelling("CHAR", "8812 904-15-05 справочная", "RU", isRefused: .remark),
    Spelling("CHAR", "84956211963, 84956211964", "RU", isRefused: .severalNumbers),
    Spelling("CHAR", "84956211963 84956211964", "RU", isRefused: .severalNumbers),
    Spelling("CHAR", "84956211963;84956211964", "RU", isRefused: .severalNumbers),
    Spelling("CHAR", "84956211963/84956211964", "RU", isRefused: .severalNumbers),
    Spelling("CHAR", "84956211963\n84956211964", "RU", isRefused: .severalNumbers),
    Spelling("CHAR", "+74956211963+74956211964", "RU", isRefused: .severalNumbers),
    Spelling("CHAR", "030 1234567/68", "DE", isRefused: .severalNumbers),
  ]

  static let extensions: [Spelling] = [
    Spelling("B-028", "+1 202 555 0123 x136", is: 12_025_550_123, .extensionDropped),
    Spelling("B-028", "+1 202 555 0123 ext. 136", is: 12_025_550_123, .extensionDropped),
    Spelling("B-028", "+1 202 555 0123 Extension: 136", is: 12_025_550_123, .extensionDropped),
    Spelling("B-028", "+1 202 555 0123 #136", is: 12_025_550_123, .extensionDropped),
    Spelling("B-028", "8 495 621-19-63 доб. 136", "RU", is: 74_956_211_963, .extensionDropped),
    Spelling("B-028", "8 495 621-19-63 (доб. 136)", "RU", is: 74_956_211_963, .extensionDropped),
    Spelling("B-028", "8 495 621-19-63 ДОБ.136", "RU", is: 74_956_211_963, .extensionDropped),
    Spelling("B-030", "+4930231250 x01", is: 4_930_231_250, .extensionDropped),
    Spelling("B-030", "+4930231250;ext=01", is: 4_930_231_250, .extensionDropped),
    Spelling("B-030", "tel:+49-30-231250;ext=01", is: 4_930_231_250, .extensionDropped),
    Spelling("B-030", "TEL:231-2500;phone-context=+49-30", is: 49_302_312_500),
    Spelling("B-030", "tel:+4930231250;isub=12", is: 4_930_231_250),
    Spelling("B-031", "+44-20-7946-0001,1234", is: 442_079_460_001, .extensionDropped),
    Spelling("B-031", "+44-20-7946-0001;1234", is: 442_079_460_001, .extensionDropped),
    Spelling("B-031", "+44-20-7946-0001,,1234#", is: 442_079_460_001, .extensionDropped),
    Spelling("B-032", "+12025550123 x7", is: 12_025_550_123, .extensionDropped),
    Spelling("EXT", "+12025550123 x", isRefused: .remark),
    Spelling("EXT", "+12025550123 # asks for codes", isRefused: .remark),
    Spelling("EXT", "+12025550123 # \"free\" trips", isRefused: .remark),
    Spelling("EXT", "+12025550123 # ", is: 12_025_550_123),
    Spelling("EXT", "+12025550123 #7 asks", isRefused: .extensionMalformed),
    Spelling("EXT", "2025#asks", "US", isRefused: .symbol),
    Spelling("EXT", "+12025550123 x12a", isRefused: .extensionMalformed),
    Spelling("EXT", "+12025550123;ext=", isRefused: .extensionMalformed),
    Spelling("EXT", "+12025550123;ext=1b", isRefused: .extensionMalformed),
  ]

  @Test(
    "as the cases of NORM, PLAN, SHORT, CHAR and EXT say",
    arguments: norm + russia + countries + plan + short + characters + extensions)
  func spelling(_ row: Spelling) {
    var verdict = verdict(row.text, row.region)
    if case .number(let number, let notes) = verdict, case .number(_, let expected) = row.verdict,
      !expected.contains(.unassigned)
    {
      verdict = .number(number, notes.subtracting(.unassigned))
    }
    #expect(verdict == row.verdict)
  }

  @Test("a plain text and the same text with a space in it give the same verdict", arguments: norm + russia + countries)
  func fastAndThoroughWaysAgree(_ row: Spelling) {
    let digits = String(row.text.unicodeScalars.filter { ("0"..."9").contains($0) })
    #expect(verdict(digits, row.region) == verdict(" " + digits, row.region))
  }
}
