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
    let region: RegionCode?
    let number: Int64?
    let how: String
    let isValid: Bool
    let place: String
  }

  static func table(_ path: String) throws -> [[Substring]] {
    let text = try String(contentsOfFile: SharedData.path(path), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
  }

  static func rows() throws -> [Row] {
    try table("oracle/phone_normalisation.tsv").map {
      Row(
        raw: String($0[2]), region: RegionCode(String($0[3])), number: Int64($0[4]), how: String($0[5]),
        isValid: $0[7] == "1", place: "\($0[0]):\($0[1])")
    }
  }

  static func normalise(_ text: String, _ region: RegionCode?) -> Result<NormalisedNumber, NumberRefusal> {
    do { return .success(try PhoneNormaliser(NormalisationOptions(region: region)).normalise(text)) } catch {
      return .failure(error)
    }
  }

  @Test(
    "no valid row gets a different number, and 99.95 % get the same",
    .enabled(if: SharedData.isPresent, "\(SharedData.absence)"))
  func validRows() throws {
    let rows = try Self.rows().filter { $0.how == "parse" && $0.isValid }
    #expect(rows.count == 16_808)
    var refused: [String] = []
    for row in rows {
      switch Self.normalise(row.raw, row.region) {
      case .success(let result):
        #expect(result.number.rawValue == row.number, "\(row.place) \(row.raw)")
        #expect(!result.notes.contains(.unassigned), "\(row.place) \(row.raw)")
      case .failure(let refusal): refused.append("\(row.place) \(row.raw): \(refusal)")
      }
    }
    #expect(Double(rows.count - refused.count) >= 0.9995 * Double(rows.count))
  }
}
