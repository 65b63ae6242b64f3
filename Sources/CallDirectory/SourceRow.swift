/// One normalised row of a source as it travels from reading to planning.
///
/// Rows of one number come together, ordered by source, file and line, which is the order in which "the first row that
/// has a label" is meant.
public struct SourceRow {
  /// The number in E.164.
  public var number: PhoneNumber
  /// What the row asks for.
  public var action: EntryAction
  /// Position of the row's source in the plan, from 0.
  public var source: Int
  /// Position of the row's file among all files read, from 0.
  public var file: Int
  /// Line on which the row begins, from 1.
  public var line: Int
  /// The area named by the row.
  public var area: AreaID
  /// The value of the row, higher is better; nil when the source states none.
  public var score: Double?
  /// UTF-8 bytes of the label, empty when the row has none; borrowed until the callback that gave the row returns.
  public var label: UnsafeRawBufferPointer

  /// A row with the given fields.
  public init(
    number: PhoneNumber, action: EntryAction, source: Int, file: Int, line: Int, area: AreaID, score: Double?,
    label: UnsafeRawBufferPointer
  ) {
    self.number = number
    self.action = action
    self.source = source
    self.file = file
    self.line = line
    self.area = area
    self.score = score
    self.label = label
  }
}

/// Stands for the text of an area within one run: an index into that run's table of area names. Never written to disk.
public struct AreaID: RawRepresentable, Hashable, Sendable {
  /// Index into the table; 0 is "no area".
  public let rawValue: UInt32
  /// Wraps an index.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The row names no area.
  public static let none = AreaID(rawValue: 0)
}
