import Foundation
import TestSupport
import Testing

/// `shardctl number --batch` against libphonenumber's verdict on real rows and on the example numbers of every country.
@Suite(
  "number --batch equals libphonenumber", .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
struct NumberOracleTests {
  private func table(_ path: String) throws -> [[String]] {
    let text = try String(contentsOfFile: SharedData.path(path), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The answers of the tool to `raw TAB country` lines: number and reason, one of the two empty or a number with a note.
  private func answers(_ lines: [(raw: String, country: String)]) throws -> [(number: String, reason: String)] {
    let folder = try TemporaryFolder()
    let input = lines.map { "\($0.raw)\t\($0.country)\n" }.joined()
    let run = try ToolRun(["number", "--batch", "-"], in: folder.path, input: input)
    try #require(run.status == 0 && run.signal == nil && run.errors.isEmpty, "\(run)")
    let output = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(output.count == lines.count)
    return try zip(lines, output).map { line, answer in
      let fields = answer.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 3 && fields[0] == line.raw.replacingOccurrences(of: "\\", with: "\\\\"), "\(answer)")
      return (fields[1], fields[2])
    }
  }

  private static let tooLong = "too long for its country's numbering plan, or over 15 digits in all"
  /// Every row that libphonenumber parses and holds to be valid and that is refused, with the reason: E.164 ends at 15
  /// digits, and letters are not taken for the digits on their keys.
  private static let refused = [
    "spam/de_tellows.vcf:1191": tooLong, "spam/de_tellows.vcf:2157": tooLong, "spam/de_tellows.vcf:4070": tooLong,
    "spam/de_tellows.vcf:4239": tooLong, "spam/de_tellows.vcf:4611": tooLong, "spam/de_tellows.vcf:9370": tooLong,
    "spam/de_tellows.vcf:9674": tooLong,
    "spam/us_dnc_2021-04-15.json:104": "letters inside the number; vanity spellings are not taken",
  ]

  @Test("No row that libphonenumber parses and holds to be valid gets another number; the refused ones are eight")
  func rows() throws {
    let rows = try table("oracle/phone_normalisation.tsv")
    #expect(rows.count == 19_515)
    let answers = try answers(rows.map { ($0[2], $0[3]) })
    var equal = 0
    var valid = 0
    var refused: [String: String] = [:]
    for (row, answer) in zip(rows, answers) {
      let place = "\(row[0]):\(row[1])"
      // Also where it is not sure, what is accepted is never another number than its own.
      if row[5] == "parse", row[6] == "1", !answer.number.isEmpty { #expect(answer.number == row[4], "\(row)") }
      guard row[5] == "parse", row[7] == "1" else { continue }
      valid += 1
      if answer.number.isEmpty { refused[place] = answer.reason } else { #expect(answer.number == row[4], "\(row)") }
      if answer.number == row[4] { equal += 1 }
    }
    #expect(valid == 16_808)
    #expect(refused == Self.refused)
    #expect(Double(equal) >= 0.9995 * Double(valid) && equal == valid - Self.refused.count)
  }

  @Test("The example numbers of 245 countries are read with +, nationally and behind each own international prefix")
  func examples() throws {
    let countries = try table("oracle/country_calling_codes.tsv")
    #expect(countries.count == 245)
    var lines: [(raw: String, country: String)] = []
    var expected: [String] = []
    for row in countries {
      let prefixes = PrefixPatterns.strings(of: row[3])
      for digits in Set(row[6...8]) where !digits.isEmpty {
        // Where one prefix begins another, digits may read either way; those are no test.
        let tried = stride(from: 0, to: prefixes.count, by: prefixes.count / 60 + 1).map { prefixes[$0] }
        let clear = tried.filter { prefix in
          !prefixes.contains { $0.count > prefix.count && (prefix + digits).hasPrefix($0) }
        }
        #expect(!clear.isEmpty, "\(row[1])")
        let national = String(digits.dropFirst(row[0].count))
        var forms = [("+\(digits)", ""), (national, row[1])] + clear.map { ($0 + digits, row[1]) }
        // At home the 9 of an Argentine mobile number is spelled 15 behind the area code, and a Colombian one has no 0.
        if !["AR9", "CO3"].contains(row[1] + national.prefix(1)) { forms.append((row[2] + national, row[1])) }
        lines += forms
        expected += forms.map { _ in digits }
      }
    }
    #expect(lines.count > 2000)
    for (line, (digits, answer)) in zip(lines, zip(expected, try answers(lines))) {
      #expect(answer.number == digits, "\(line) \(answer)")
    }
  }
}
