/// What a sample directory is made from; the same recipe gives the same bytes on every machine.
public struct SampleRecipe: Hashable, Sendable {
  /// The numbers a sample may have.
  public static let possibleRows = 1_000...20_000_000

  /// Numbers over all three groups; lines are about 7 % more, with repeats, conflicts, rows without label and malformed
  /// phones. A number that stands in two groups counts in both.
  public var rows: Int
  /// Where the random numbers begin.
  public var seed: UInt64
  /// Whether tables have address, rubric and site columns too: about 90 bytes more a row.
  public var isWide: Bool

  /// The first day or the one after: of the first day's companies 3 % are gone, 0.6 % have another label, and 1 % are new.
  public var day: Int

  /// The days a sample may be of.
  public static let possibleDays = 1...2

  /// A recipe with the default size: Moscow and Saint Petersburg 1.25 million, the rest of Russia 1.95, abroad 1.0.
  public init(rows: Int = 4_200_000, seed: UInt64 = 1, isWide: Bool = false, day: Int = 1) {
    self.rows = rows
    self.seed = seed
    self.isWide = isWide
    self.day = day
  }

  /// Numbers of one group: 125 : 195 : 100.
  func numbers(of group: SampleGroup) -> Int {
    let moscow = rows * 125 / 420
    let russia = rows * 195 / 420
    return switch group {
    case .moscow: moscow
    case .russia: russia
    case .abroad: rows - moscow - russia
    }
  }
}

/// The three tables of a sample, each made for one provider.
enum SampleGroup: Int, CaseIterable {
  case moscow, russia, abroad

  /// The id of the source and of the provider.
  var id: String {
    switch self {
    case .moscow: "moscow-spb"
    case .russia: "russia"
    case .abroad: "abroad"
    }
  }

  var fileName: String { "companies-\(id).tsv" }
}
