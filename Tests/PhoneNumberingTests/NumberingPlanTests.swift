import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@Suite("Numbering plans tell the region of a number")
struct NumberingPlanTests {
  private func region(_ number: Int64) -> String? { NumberingPlan.region(of: PhoneNumber(number))?.rawValue }

  @Test("shared calling codes are told apart by the longest prefix")
  func sharedCallingCodes() {
    let rows: [(Int64, String?)] = [
      (74_956_211_963, "RU"), (77_272_000_001, "KZ"), (76_000_000_001, "KZ"), (78_402_000_001, "RU"),
      (12_025_550_123, "US"), (16_045_550_123, "CA"), (12_684_600_001, "AG"), (18_765_550_123, "JM"),
      (18_005_550_123, "US"), (19_995_550_123, "US"), (442_079_460_001, "GB"), (441_534_700_001, "JE"),
      (441_481_700_001, "GG"), (390_669_812_345, "VA"), (390_600_000_001, "IT"), (4_779_000_001, "SJ"),
      (4_722_000_001, "NO"), (358_913_000_001, "FI"), (358_180_000_001, "AX"), (886_227_000_001, "TW"),
      (80_012_345_678, nil), (99_912_345_678, nil), (112, nil), (999_999, nil), (1_000_000_000_000_000, nil), (-1, nil),
      (Int64.max, nil), (Int64.min, nil), (0, nil),
    ]
    for (number, expected) in rows {
      #expect(region(number) == expected, "\(number)")
    }
  }

  @Test("region and ranges agree at every edge, and the ranges of all regions are disjoint and ascending")
  func rangesAgree() {
    var all: [(ClosedRange<Int64>, RegionCode)] = []
    for code in RegionCode.all {
      let ranges = NumberingPlan.ranges(of: code)
      for range in ranges {
        #expect(NumberingPlan.region(of: PhoneNumber(range.lowerBound)) == code, "\(code) \(range)")
        #expect(NumberingPlan.region(of: PhoneNumber(range.upperBound)) == code, "\(code) \(range)")
        #expect(NumberingPlan.region(of: PhoneNumber(range.lowerBound - 1)) != code, "\(code) \(range)")
        #expect(NumberingPlan.region(of: PhoneNumber(range.upperBound + 1)) != code, "\(code) \(range)")
      }
      for (left, right) in zip(ranges, ranges.dropFirst()) { #expect(left.upperBound < right.lowerBound) }
      all += ranges.map { ($0, code) }
    }
    all.sort { $0.0.lowerBound < $1.0.lowerBound }
    for (left, right) in zip(all, all.dropFirst()) {
      #expect(left.0.upperBound < right.0.lowerBound, "\(left) \(right)")
    }
  }

  @Test("region and ranges agree for random numbers of 1 … 16 digits")
  func rangesAgreeEverywhere() {
    let all = RegionCode.all.flatMap { code in NumberingPlan.ranges(of: code).map { ($0, code) } }
      .sorted { $0.0.lowerBound < $1.0.lowerBound }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      var number: Int64 = 0
      for _ in 0..<Int.random(in: 1...16, using: &generator) {
        number = number * 10 + Int64.random(in: 0...9, using: &generator)
      }
      var (low, high) = (0, all.count)
      while low < high {
        let middle = (low + high) / 2
        if all[middle].0.upperBound < number { low = middle + 1 } else { high = middle }
      }
      let expected = low < all.count && all[low].0.contains(number) ? all[low].1 : nil
      #expect(NumberingPlan.region(of: PhoneNumber(number)) == expected, "\(number)")
    }
  }

  @Test("prefixes are those of the region and of no other")
  func prefixes() throws {
    let russia = try #require(RegionCode("RU"))
    #expect(NumberingPlan.prefixes(of: russia).allSatisfy { $0.hasPrefix("7") && !$0.hasPrefix("77") })
    #expect(NumberingPlan.prefixes(of: try #require(RegionCode("FR"))) == ["33"])
    #expect(NumberingPlan.prefixes(of: try #require(RegionCode("VA"))) == ["3906698"])
    #expect(NumberingPlan.ranges(of: try #require(RegionCode("FR"))).first == 3_300_000...3_399_999)
    #expect(NumberingPlan.ranges(of: try #require(RegionCode("FR"))).count == 9)
  }

  @Test("possible and assigned")
  func possibleAndAssigned() {
    let rows: [(Int64, Bool, Bool)] = [
      (74_956_211_963, true, true), (71_956_211_963, true, false), (7_495_621_196, false, false),
      (12_025_550_123, true, true), (10_000_000_000, true, false), (11_005_550_123, true, false),
      (99_912_345_678, false, false), (112, false, false),
    ]
    for (number, isPossible, isAssigned) in rows {
      #expect(NumberingPlan.isPossible(PhoneNumber(number)) == isPossible, "\(number)")
      #expect(NumberingPlan.isAssigned(PhoneNumber(number)) == isAssigned, "\(number)")
    }
    #expect(NumberingPlan.hasKnownCallingCode(PhoneNumber(80_012_345_678)))
    #expect(!NumberingPlan.hasKnownCallingCode(PhoneNumber(99_912_345_678)))
  }

  @Test("B-037, B-038: an emergency number is one exactly, never by prefix")
  func emergencyNumbers() throws {
    let germany = try #require(RegionCode("DE"))
    #expect(NumberingPlan.isEmergency(PhoneNumber(112), in: germany))
    #expect(NumberingPlan.isEmergency(PhoneNumber(110), in: germany))
    #expect(!NumberingPlan.isEmergency(PhoneNumber(911), in: germany))
    #expect(NumberingPlan.isEmergency(PhoneNumber(911), in: RegionCode("US")))
    #expect(NumberingPlan.isEmergency(PhoneNumber(911)))
    for number: Int64 in [91_100_001, 1120, 1, 0, -112, 49_112, Int64.max] {
      #expect(!NumberingPlan.isEmergency(PhoneNumber(number)), "\(number)")
    }
  }

  @Test("the source of the facts is named")
  func source() { #expect(NumberingPlan.source == "phonenumbers 9.0.43") }

  @Test("B-022 … B-027: every form of a line that has more than one")
  func aliases() {
    func forms(_ number: Int64) -> [Int64] { NumberAliases.forms(of: PhoneNumber(number)).map(\.rawValue) }
    let groups: [[Int64]] = [
      [525_550_000_001, 5_215_550_000_001], [541_123_450_001, 5_491_123_450_001],
      [553_190_000_001, 5_531_990_000_001], [74_956_211_963], [553_130_000_001], [5_531_930_000_001], [12_025_550_123],
      [-5], [Int64.max],
    ]
    for group in groups {
      for number in group { #expect(forms(number) == group, "\(number)") }
    }
  }
}

@Suite("Region codes")
struct RegionCodeTests {
  @Test("245 regions are known, ascending, and come back from their letters")
  func all() {
    #expect(RegionCode.all.count == 245)
    #expect(RegionCode.all == RegionCode.all.sorted())
    for code in RegionCode.all { #expect(RegionCode(code.rawValue) == code) }
  }

  @Test("unknown and malformed codes are none", arguments: ["", "R", "RUS", "XX", "ZZ", "U1", "РФ", "001", "[U", "UK"])
  func unknown(_ text: String) { #expect(RegionCode(text) == nil) }

  @Test("a code is the same in either case, and knows its calling code and trunk prefix")
  func facts() throws {
    #expect(RegionCode("ru") == RegionCode("RU"))
    #expect(try #require(RegionCode("RU")).callingCode == 7)
    #expect(try #require(RegionCode("RU")).trunkPrefix == "8")
    #expect(try #require(RegionCode("IT")).trunkPrefix == "")
    #expect(try #require(RegionCode("HU")).trunkPrefix == "06")
  }
}
