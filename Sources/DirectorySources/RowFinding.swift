/// What can be wrong with a row, or worth a note about it. Open: numbers bring their own (`number.…`), and later formats
/// more.
public struct RowFinding: RawRepresentable, Hashable, Comparable, Sendable {
  /// A stable name for scripts, for example `row.fieldCount`.
  public var rawValue: String

  /// A finding by name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The row has more or fewer fields than the header, or than the first row of a table without one (B-116).
  public static let fieldCount = RowFinding(rawValue: "row.fieldCount")
  /// A quoted field does not end.
  public static let unclosedQuote = RowFinding(rawValue: "row.unclosedQuote")
  /// Text stands between the closing quote of a field and the next separator.
  public static let textAfterQuote = RowFinding(rawValue: "row.textAfterQuote")
  /// The row is longer than the longest that is read.
  public static let rowTooLong = RowFinding(rawValue: "row.tooLong")
  /// A JSON row is no object, but the source's columns are members of one.
  public static let notAnObject = RowFinding(rawValue: "row.notAnObject")
  /// In a JSON row an object stands where a column leads to one value.
  public static let objectInColumn = RowFinding(rawValue: "row.objectInColumn")
  /// A line is not one JSON value.
  public static let brokenJSON = RowFinding(rawValue: "row.brokenJSON")
  /// The score is not a decimal number.
  public static let scoreNotANumber = RowFinding(rawValue: "score.notANumber")
  /// An emergency number that was to be blocked (B-037); what the row identifies stays.
  public static let emergencyNumber = RowFinding(rawValue: "number.emergency")
  /// No row of the number has a label for its identification entry (B-133); found when rows are merged.
  public static let noLabel = RowFinding(rawValue: "label.none")
  /// A vCard is not closed by `END:VCARD` before the next one begins or the file ends.
  public static let cardNotClosed = RowFinding(rawValue: "card.notClosed")
  /// Text that belongs to no vCard.
  public static let textOutsideCard = RowFinding(rawValue: "card.textOutside")
  /// A property of a vCard that is asked for is base64 or in an encoding that is not known.
  public static let cardEncoding = RowFinding(rawValue: "card.encoding")
  /// A property of a vCard that is asked for is not in the character set it states, or in one that is not read.
  public static let cardCharset = RowFinding(rawValue: "card.charset")
  /// Note: a line of a vCard is no property and is passed over.
  public static let lineOfCard = RowFinding(rawValue: "card.line")
  /// Note: the cell of an action column is none of the listed values; the row identifies.
  public static let actionNotListed = RowFinding(rawValue: "action.notListed")
  /// Note: the other form of a number that is known by two was added (`aliases`).
  public static let aliasAdded = RowFinding(rawValue: "number.aliasAdded")
  /// Note on a file: its fields are separated by another character than the comma, as was found out.
  public static let separatorFound = RowFinding(rawValue: "file.separatorFound")
  /// Note: the label is longer than `maxLabelBytes` and was cut (B-131).
  public static let labelCut = RowFinding(rawValue: "label.cut")
  /// Note: the area is not in the source's `areaMap` and stays as it is.
  public static let areaNotInMap = RowFinding(rawValue: "area.notInMap")
  /// Note: control characters or line ends in a label became one space (B-132).
  public static let labelControlCharacters = RowFinding(rawValue: "label.controlCharacters")

  /// By name.
  public static func < (left: RowFinding, right: RowFinding) -> Bool { left.rawValue < right.rawValue }
}
