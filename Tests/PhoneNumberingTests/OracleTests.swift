import CallDirectory
import Foundation
import PhoneNumbering
import Testing
import TestSupport

/// Real rows against libphonenumber's verdict on them.
@Suite("Numbers of real rows equal libphonenumber's")
struct OracleTests {
  struct Row {
    let raw: String
    let region: String
    let number: Int64?
    let how: String
    let isPossible: Bool
    let isValid: Bool
    /// The region of the number; nil for a calling code without one.
    let numberRegion: String?
    let place: String
  }

  static func table(_ path: String) throws -> [[Substring]] {
    let text = try String(contentsOfFile: SharedData.path(path), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
  }

  static func rows() throws -> [Row] {
    try table("oracle/phone_normalisation.tsv").map {
      Row(
        raw: String($0[2]), region: String($0[3]), number: Int64($0[4]), how: String($0[5]), isPossible: $0[6] == "1",
        isValid: $0[7] == "1", numberRegion: $0[9] == "001" ? nil : String($0[9]), place: "\($0[0]):\($0[1])")
    }
  }

  /// Valid rows that are refused, and why: longer than E.164 allows, or spelled with letters.
  static let refusedRows: [String: NumberRefusal] = [
    "spam/de_tellows.vcf:1191": .tooLong, "spam/de_tellows.vcf:2157": .tooLong, "spam/de_tellows.vcf:4070": .tooLong,
    "spam/de_tellows.vcf:4239": .tooLong, "spam/de_tellows.vcf:4611": .tooLong, "spam/de_tellows.vcf:9370": .tooLong,
    "spam/de_tellows.vcf:9674": .tooLong, "spam/us_dnc_2021-04-15.json:104": .letters,
  ]

  @Test("every valid row gets the same number, but for eight that are refused", .enabled(if: isPresent, why))
  func validRows() throws {
    let rows = try Self.rows().filter { $0.how == "parse" && $0.isValid }
    #expect(rows.count == 16_808)
    var refused: [String: NumberRefusal] = [:]
    for row in rows {
      switch verdict(row.raw, row.region) {
      case .number(let number, let notes):
        #expect(number == row.number, "\(row.place) \(row.raw)")
        #expect(!notes.contains(.unassigned), "\(row.place) \(row.raw)")
        #expect(NumberingPlan.region(of: PhoneNumber(number))?.rawValue == row.numberRegion, "\(row.place) \(number)")
      case .refused(let refusal): refused[row.place] = refusal
      }
    }
    #expect(refused == Self.refusedRows)
    #expect(Double(rows.count - refused.count) >= 0.9995 * Double(rows.count))
  }

  @Test("a row that is possible but assigned to nobody is the same number with a note", .enabled(if: isPresent, why))
  func unassignedRows() throws {
    let rows = try Self.rows().filter { $0.how == "parse" && !$0.isValid && $0.isPossible }
    #expect(rows.count > 1_000)
    for row in rows {
      guard case .number(let number, let notes) = verdict(row.raw, row.region) else { continue }
      #expect(number == row.number && notes.contains(.unassigned), "\(row.place) \(row.raw) \(number) \(notes)")
    }
  }

  @Test("a row with letters, with words around the number, or without one is refused", .enabled(if: isPresent, why))
  func otherRows() throws {
    for row in try Self.rows() where row.how != "parse" {
      let verdict = verdict(row.raw, row.region)
      #expect(verdict.number == nil || verdict.number == row.number, "\(row.place) \(row.raw) \(verdict)")
    }
    let remarks = try Self.rows().filter { $0.how == "match" && $0.isValid }
    #expect(remarks.count == 264)
    for row in remarks {
      guard let number = verdict(row.raw, row.region, { $0.remarkHandling = .strip }).number else { continue }
      #expect(number == row.number, "\(row.place) \(row.raw)")
    }
  }

  @Test(
    "the example numbers of all countries, with +, national, and behind each own prefix", .enabled(if: isPresent, why))
  func exampleNumbers() throws {
    let countries = try Self.table("oracle/country_calling_codes.tsv")
    #expect(countries.count == 245)
    var checked = 0
    for fields in countries {
      let region = String(fields[1])
      let prefixes = PrefixPatterns.strings(of: String(fields[3]))
      for digits in Set(fields[6...8]) where !digits.isEmpty {
        let number = Int64(digits)
        let national = String(digits.dropFirst(fields[0].count))
        #expect(verdict("+\(digits)").number == number, "\(region) +\(digits)")
        #expect(verdict(national, region).number == number, "\(region) \(national)")
        // At home the 9 of an Argentine mobile number is spelled 15 behind the area code, and a Colombian one has no 0.
        if !["AR9", "CO3"].contains(region + national.prefix(1)) {
          #expect(verdict(fields[2] + national, region).number == number, "\(region) \(fields[2])\(national)")
        }
        // Where one prefix begins another, digits may read either way; those are no test.
        let tried = stride(from: 0, to: prefixes.count, by: prefixes.count / 60 + 1).map { prefixes[$0] }
        let clear = tried.filter { prefix in
          !prefixes.contains { $0.count > prefix.count && (prefix + digits).hasPrefix($0) }
        }
        #expect(!clear.isEmpty, "\(region)")
        for prefix in clear {
          #expect(verdict(prefix + digits, region).number == number, "\(region) \(prefix)\(digits)")
          checked += 1
        }
      }
    }
    #expect(checked > 700)
  }

  @Test("no text of random bytes traps, and what is accepted has 7 to 15 digits")
  func randomTexts() {
    let pieces: [[UInt8]] = [
      "+", "7", "495", "0", "8", "x", ";ext=", ",", "(", ")", "доб.", "E+", " ", "/", "٣", "tel:", "\u{200E}",
    ]
    .map { Array($0.utf8) }
    var generator = SeededGenerator(seed: 11)
    let normalisers = ["RU", "DE", "AR", "AG", "MX", "US"].map { region in
      PhoneNormaliser(
        NormalisationOptions(
          region: RegionCode(region), shortCodes: true, extensionHandling: .append, remarkHandling: .strip))
    }
    for _ in 0..<20_000 {
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 0...14, using: &generator) {
        if Int.random(in: 0..<8, using: &generator) == 0 {
          text.append(UInt8.random(in: 0...255, using: &generator))
        } else {
          text += pieces[Int.random(in: 0..<pieces.count, using: &generator)]
        }
      }
      for normaliser in normalisers {
        guard case .success(let result) = text.withUnsafeBytes({ normaliser.outcome(of: $0) }) else { continue }
        let digits = String(result.number.rawValue).count
        #expect((7...15).contains(digits) || result.notes.contains(.shortCode), "\(text)")
      }
    }
  }

  private static let isPresent = SharedData.isPresent
  private static let why: Comment = "\(SharedData.absence)"
}
