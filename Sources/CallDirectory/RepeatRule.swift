/// Which label a number gets that several rows of one source name differently. Between sources the first in plan order
/// that has one counts.
public enum RepeatRule: String, Sendable, CaseIterable {
  /// The first one, in the order of files and lines.
  case first
  /// The one that most rows have; of equals the first.
  case mostFrequent
  /// That of the row with the highest score, any score before none; of equals the first.
  case highestScore
}
