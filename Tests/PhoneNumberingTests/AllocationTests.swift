import CallDirectory
import Foundation
import PhoneNumbering
import Testing

@Suite("Memory of the normaliser") struct AllocationTests {
  // In a process of its own: what other tests allocate beside it would be counted too.
  @Test("B-073: two hundred thousand numbers of every spelling leave no memory behind")
  func nothingSurvives() async {
    await #expect(processExitsWith: .success) {
      let normaliser = PhoneNormaliser(
        NormalisationOptions(region: RegionCode("RU"), extensionHandling: .append, remarkHandling: .strip))
      let texts = [
        "84956211963", "8 (495) 621-19-63 доб. 12", "+44 20 7946 0001", "+٤٤ ٧٧٠٠ ٩٠٠٠٠١", "letters",
        "88129041505 (справочная)",
        "tel:+4930231250;ext=01", "7.4951E+10", "", "621-19-63",
      ].map { Array($0.utf8) }
      var sum: Int64 = 0
      func run(_ count: Int) {
        for _ in 0..<count {
          for text in texts {
            if case .success(let result) = text.withUnsafeBytes({ normaliser.outcome(of: $0) }) {
              sum &+= result.number.rawValue
            }
          }
        }
      }
      run(100)
      let before = try Self.residentBytes()
      run(20_000)
      let grown = try Self.residentBytes() - before
      print("grown \(grown), sum \(sum)")
      exit(sum > 0 && grown < 1 << 20 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  private static func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(fields[1])) * Int(getpagesize())
  }
}
