import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

/// What a pattern came to: `first-last` of each range, the number where it is one; `!`, cause and price where refused.
private func reading(
  _ text: String, _ region: String = "", most: Int = 10_000_000,
  _ change: (inout NormalisationOptions) -> Void = { _ in }
) -> String {
  var options = NormalisationOptions(region: RegionCode(region))
  change(&options)
  return reading { () throws(PatternRefusal) in
    try PatternNormaliser(PhoneNormaliser(options), maximumNumbers: most).ranges(of: text)
  }
}

private func reading(_ ranges: () throws(PatternRefusal) -> NumberRanges) -> String {
  do throws(PatternRefusal) {
    return try ranges().all.map { range in
      let (first, last) = (range.lowerBound.rawValue, range.upperBound.rawValue)
      return first == last ? "\(first)" : "\(first)-\(last)"
    }.joined(separator: " ")
  } catch {
    return "!\(name(error.cause))" + (error.price > 0 ? " \(error.price)" : "")
  }
}

private func name(_ cause: PatternRefusal.Cause) -> String {
  switch cause {
  case .number(let refusal): "\(NumberRefusal.allCases.first { $0 == refusal }.map { "number \($0.reason)" } ?? "")"
  case .tooManyNumbers: "tooManyNumbers"
  case .openEnded: "openEnded"
  case .tooManyRanges: "tooManyRanges"
  case .misplacedWildcard: "misplacedWildcard"
  case .ambiguous: "ambiguous"
  case .descending: "descending"
  case .unlikeEnds: "unlikeEnds"
  }
}

@Suite("Patterns and ranges")
struct PatternTests {
  @Test(
    "A pattern stands for the numbers that callers come to whose digits match it (B-012, B-139, B-141, C-06)",
    arguments: [
      // B-012: the pattern begins with the trunk zero, the number never does.
      ("0199*", "FR", "33199000000-33199999999"),
      ("0199######", "FR", "33199000000-33199999999"),
      ("01 99 ## ## ##", "FR", "33199000000-33199999999"),
      ("+33199*", "FR", "33199000000-33199999999"),
      ("0033 1 99 *", "FR", "33199000000-33199999999"),
      // C-06: with and without plus; the French list writes no plus.
      ("+33199000###", "FR", "33199000000-33199000999"),
      ("33199000###", "FR", "33199000000-33199000999"),
      ("33199*", "FR", "33199000000-33199999999"),
      ("+33 6 39 98 ## ##", "", "33639980000-33639989999"),
      ("+33 (0)1 99 00 0# ##", "", "33199000000-33199000999"),
      ("＋３３１９９０００＃＃＃", "", "33199000000-33199000999"),
      // The zero of an Italian landline stays.
      ("06 0000 ####", "IT", "390600000000-390600009999"),
      // The old Mexican spelling folds as it does for a number.
      ("+52 1 55 1234 ####", "", "525512340000-525512349999"),
      ("8 800 *", "RU", "78000000000-78009999999"),
      ("202.555*", "US", "12025550000-12025559999"),
      ("0161 496*", "GB", "441614960000-441614969999"),
      // A wildcard in the middle: a range for each of its digits.
      (
        "+7495#234567", "",
        "74950234567 74951234567 74952234567 74953234567 74954234567 74955234567 74956234567 74957234567 "
          + "74958234567 74959234567"
      ),
      // Numbers of several lengths begin so.
      (
        "03023125*", "DE",
        "493023125 4930231250-4930231259 49302312500-49302312599 493023125000-493023125999 "
          + "4930231250000-4930231259999 49302312500000-49302312599999 493023125000000-493023125999999"
      ),
    ])
  func spelling(text: String, region: String, expected: String) {
    #expect(reading(text, region) == expected)
  }

  @Test("A number without a wildcard is that number alone (B-040)")
  func exact() {
    #expect(reading("3", "FR").hasPrefix("!number"))
    #expect(reading("+33199000001") == "33199000001")
    #expect(reading("8 (495) 123-45-67", "RU") == "74951234567")
    #expect(reading("+7 495 123 - 45 - 67") == "74951234567")
    #expect(reading("3950", "FR").hasPrefix("!number a short code"))
    #expect(reading("3950", "FR") { $0.shortCodes = true } == "3950")
    #expect(reading("395#", "FR") { $0.shortCodes = true } == "3950-3959")
    // A `*` never stands for short codes.
    #expect(reading("39*", "FR") { $0.shortCodes = true } == "33390000000-33399999999")
  }

  @Test("A wildcard is never dropped: the pattern is not its digits (C-22, B-134)")
  func notDropped() {
    for text in ["33199*", "+33199*", "0199*", "+33199000###", "+33 1 99 00 00 0#"] {
      let digits = text.filter { $0 != "*" && $0 != "#" }
      #expect(reading(text, "FR") != reading(digits, "FR"), "\(text)")
      #expect(!reading(text, "FR").hasPrefix("!"), "\(text)")
    }
  }

  @Test(
    "Open-ended patterns are refused with their price, however many digits they have (B-089, B-137)",
    arguments: [
      ("*", "FR", "!openEnded 223091304680000"), ("+*", "", "!openEnded 223091304680000"),
      ("+3*", "", "!openEnded 6944940410000"), ("+7*", "", "!tooManyNumbers 100010000000000"),
      ("+49*", "", "!tooManyNumbers 11111111100000"), ("+33*", "", "!tooManyNumbers 1000000000"),
      ("0*", "FR", "!tooManyNumbers 1000000000"), ("+7495#######", "", "74950000000-74959999999"),
      ("+749########", "", "!tooManyNumbers 100000000"),
    ])
  func price(text: String, region: String, expected: String) {
    #expect(reading(text, region) == expected)
  }

  @Test("A whole small country costs little and is taken")
  func smallCountry() {
    // Niue: numbers of four digits and of seven, mobile ones with 888 in front.
    #expect(!reading("+683*").hasPrefix("!open"))
    #expect(reading("+6834*") == "6834000-6834999")
  }

  @Test("The price and what is allowed stand in the message")
  func message() {
    #expect(throws: PatternRefusal.self) {
      try PatternNormaliser(PhoneNormaliser(NormalisationOptions())).ranges(of: "+7*")
    }
    let refusal = PatternRefusal(.tooManyNumbers, price: 100_010_000_000_000, limit: 10_000_000)
    #expect(
      refusal.reason
        == "100,010,000,000,000 numbers, \"maxPatternNumbers\" is 10,000,000; state more digits")
    #expect(reading("+33199000###", most: 999) == "!tooManyNumbers 1000")
    #expect(reading("+33199000###", most: 1000) == "33199000000-33199000999")
    #expect(reading("+33199000000-+33199000999", most: 999) == "!tooManyNumbers 1000")
    #expect(reading("+7#######567") == "!tooManyRanges 10000000")
    #expect(reading("+7495####567", most: 9999) == "!tooManyNumbers 10000")
  }

  @Test(
    "A range has two whole numbers with a dash between them",
    arguments: [
      ("+74950000000-+74950000999", "", "74950000000-74950000999"),
      ("84950000000–84950000999", "RU", "74950000000-74950000999"),
      ("+7 495 000-00-00 — +7 495 000-99-99", "", "74950000000-74950009999"),
      ("8 (495) 000-00-00 - +7 (495) 000-00-09", "RU", "74950000000-74950000009"),
      ("+74950000000-+74950000000", "", "74950000000"),
      ("+74950000000-9999", "", "!unlikeEnds"),
      ("84950000000-9999", "RU", "!unlikeEnds"),
      ("+74959999999-+74950000000", "", "!descending"),
      ("+33199999999-+34910000000", "", "!unlikeEnds"),
      ("+4930000000-+49300000000", "", "!unlikeEnds"),
      ("+33199######-+33198######", "", "!misplacedWildcard"),
    ])
  func range(text: String, region: String, expected: String) {
    #expect(reading(text, region) == expected)
  }

  @Test("The ends of a range may stand in two columns, each read as any number")
  func ends() {
    func between(_ from: String, _ to: String, most: Int = 1000) -> String {
      let patterns = PatternNormaliser(
        PhoneNormaliser(NormalisationOptions(region: RegionCode("RU"))), maximumNumbers: most)
      return reading { () throws(PatternRefusal) in
        try Array(from.utf8).withUnsafeBytes { from in
          Array(to.utf8).withUnsafeBytes { patterns.outcome(from: from, to: $0) }
        }.get()
      }
    }
    #expect(between("73012110000", "8 301 211-01-99") == "73012110000-73012110199")
    #expect(between("73012110000", "73012110000") == "73012110000")
    #expect(between("73012110001", "73012110000") == "!descending")
    #expect(between("73012110000", "73012111000") == "!tooManyNumbers 1001")
    #expect(between("73012110000", "").hasPrefix("!number no number"))
    #expect(between("73012110#", "730121109").hasPrefix("!number"))
    #expect(between("0", "9223372036854775807").hasPrefix("!number"))
  }

  @Test(
    "Nothing in a pattern acts as a regular expression or an SQL wildcard (B-142)",
    arguments: [
      "202.555*|12025550000-12025559999", "(202) 555-*|12025550000-12025559999", "202_555*|12025550000-12025559999",
      "20[25]55*|!", "202%555*|!", "202?555*|!", "^202555*|!", "202555$|!", "20\\d555*|!", "202555.{4}|!",
      "202555xxxx|!", "20(2|3)555*|!", "202555+|!", "+1202+555*|!",
    ])
  func ownMatcher(line: String) {
    let parts = line.split(separator: "|", omittingEmptySubsequences: false)
    let text = parts.dropLast().joined(separator: "|")
    let result = reading(text, "US")
    #expect(parts.last == "!" ? result.hasPrefix("!") : result == parts.last ?? "", "\(result)")
  }

  @Test(
    "What no number matches is an error (B-012)",
    arguments: ["+999#######", "+7495*5", "+7**", "*7", "+7495##*", "#", "*5", "", "+", "+7 495 12#", "+0*", "+33 ##"])
  func noNumber(text: String) {
    #expect(reading(text).hasPrefix("!"))
  }

  @Test("The numbers of a # pattern are those that its spellings with digits come to, or it is refused")
  func bruteForce() {
    var random = SeededGenerator(seed: 22)
    var accepted = 0
    for _ in 0..<400 {
      let region =
        ["FR", "RU", "US", "DE", "IT", "GB", "BR", "MX", "AR", "IS", "KZ", ""].randomElement(using: &random) ?? ""
      var text = ["+", "", "", "0", "00", "8", "1", "7", "33", "+52", "+54", "011"].randomElement(using: &random) ?? ""
      for _ in 0..<Int.random(in: 3...11, using: &random) {
        text += Int.random(in: 0..<7, using: &random) == 0 ? "#" : "\(Int.random(in: 0...9, using: &random))"
      }
      text += String(repeating: "#", count: Int.random(in: 0...3, using: &random))
      let wildcards = text.count { $0 == "#" }
      guard (1...3).contains(wildcards) else { continue }
      let options = NormalisationOptions(region: RegionCode(region))
      let normaliser = PhoneNormaliser(options)
      var numbers: [Int64?] = []
      for value in 0..<[1, 10, 100, 1000][wildcards] {
        var rest = value
        let spelled = String(
          text.reversed().map { character -> Character in
            guard character == "#" else { return character }
            defer { rest /= 10 }
            return Character("\(rest % 10)")
          }.reversed())
        numbers.append((try? normaliser.normalise(spelled))?.number.rawValue)
      }
      guard let ranges = try? PatternNormaliser(normaliser).ranges(of: text) else {
        // Refused: some of the numbers is none, or they are not read alike.
        let all = numbers.compactMap(\.self)
        let isAlike = all.count == numbers.count && zip(all, all.dropFirst()).allSatisfy { $0 < $1 }
        if isAlike, text.hasSuffix("#"), wildcards == text.reversed().prefix(while: { $0 == "#" }).count {
          #expect(all[all.count - 1] - all[0] != Int64(all.count) - 1, "\(text) in \(region)")
        }
        continue
      }
      accepted += 1
      #expect(ranges.all.flatMap { $0.lowerBound.rawValue...$0.upperBound.rawValue } == numbers, "\(text) in \(region)")
    }
    #expect(accepted > 40)
  }

  @Test("The numbers of a * pattern are read from its digits, whatever stands behind them")
  func starIsRead() {
    var random = SeededGenerator(seed: 23)
    var accepted = 0
    for _ in 0..<250 {
      let region =
        ["FR", "RU", "US", "DE", "IT", "GB", "BR", "MX", "AR", "IS", "KZ", ""].randomElement(using: &random) ?? ""
      var text = ["+", "+33", "0", "8", "7", "33", "+52", "+1", "+49", ""].randomElement(using: &random) ?? ""
      for _ in 0..<Int.random(in: 3...8, using: &random) { text += "\(Int.random(in: 0...9, using: &random))" }
      let normaliser = PhoneNormaliser(NormalisationOptions(region: RegionCode(region)))
      guard let ranges = try? PatternNormaliser(normaliser, maximumNumbers: 1_000_000_000).ranges(of: text + "*")
      else { continue }
      accepted += 1
      #expect(zip(ranges.all, ranges.more).allSatisfy { $0.upperBound < $1.lowerBound }, "\(text) in \(region)")
      for range in ranges.all {
        let isOne = range.lowerBound == range.upperBound
        let tail = String(range.upperBound.rawValue - range.lowerBound.rawValue)
        for _ in 0..<20 {
          let offset = Int64.random(in: 0...(range.upperBound.rawValue - range.lowerBound.rawValue), using: &random)
          let digits = offset == 0 && isOne ? "" : String(offset)
          let length = isOne ? 0 : tail.count
          let spelled = text + String(repeating: "0", count: length - digits.count) + digits
          let number = try? normaliser.normalise(spelled)
          #expect(number?.number.rawValue == range.lowerBound.rawValue + offset, "\(spelled) of \(text)* in \(region)")
        }
      }
    }
    #expect(accepted > 30)
  }

  @Test("Other forms of a range are the other forms of its numbers")
  func aliases() {
    var random = SeededGenerator(seed: 24)
    let starts: [Int64] = [
      521_999_999_950, 5_215_499_999_950, 541_000_000_000, 5_491_000_000_000 - 40, 543_999_999_960, 551_159_999_950,
      551_199_999_960, 5_511_959_999_950, 5_511_999_999_950, 74_950_000_000, 559_999_999_940, 525_512_340_000,
    ]
    for start in starts {
      let first = start + Int64.random(in: 0...60, using: &random)
      let last = first + 100
      let expected = (first...last).compactMap { NumberAliases.otherForm(of: PhoneNumber($0))?.rawValue }.sorted()
      let forms = NumberAliases.otherForms(of: PhoneNumber(first)...PhoneNumber(last))
      #expect(forms.flatMap { $0.lowerBound.rawValue...$0.upperBound.rawValue }.sorted() == expected, "\(start)")
    }
  }
}
