public import CallDirectory

/// Something that did not fail a load and should not have happened; one for each kind, however often it did.
public struct LoadWarning: Hashable, Sendable {
  /// The kinds of warning.
  public enum Kind: Int, Sendable, CaseIterable {
    /// An identification entry with an empty label: dropped, not counted (R-ENT-3).
    case emptyLabel
    /// A label over 65,534 bytes: dropped, not counted (R-ENT-3).
    case overlongLabel
    /// A label that is not UTF-8: dropped, not counted. No phone can be given one.
    case labelNotUTF8
    /// A number that can never match a caller: Int64.max loads all the same (R-ENT-2).
    case unmatchableNumber
    /// Adds that the host had to refuse: after an error, or against the rules of the interface (R-LIFE-7).
    case refusedAdd
    /// The provider reported an error and then said that it had succeeded.
    case errorThenSuccess
    /// The provider did not return in time after its entries were refused or the load was cancelled, and was killed.
    case killedAfterGrace
    /// A file of the library could not be read to tell its digest.
    case noDigest
  }

  /// What happened.
  public var kind: Kind
  /// How often.
  public var count: Int
  /// Family and position, from 0, of the first entry it happened to; nil when it is not about entries.
  public var first: Position?
  /// More in words; may be empty.
  public var detail: String

  /// Where in the entries a warning begins.
  public struct Position: Hashable, Sendable {
    /// The family.
    public var family: EntryFamily
    /// Position among all entries the provider added to it, from 0.
    public var index: Int
    /// The entry's number.
    public var number: PhoneNumber
  }

  init(_ kind: Kind, count: Int = 1, first: Position? = nil, detail: String = "") {
    self.kind = kind
    self.count = count
    self.first = first
    self.detail = detail
  }
}

extension LoadWarning: CustomStringConvertible {
  /// One line.
  public var description: String {
    let entries = count == 1 ? "1 entry" : "\(count) entries"
    let place = first.map { ", first \($0.family) entry no. \($0.index + 1) (\($0.number))" } ?? ""
    let text =
      switch kind {
      case .emptyLabel: "\(entries) with an empty label dropped, as a phone does\(place)"
      case .overlongLabel:
        "\(entries) with a label over \(CallLabel.maximumBytes) bytes dropped, as a phone does\(place)"
      case .labelNotUTF8: "\(entries) with a label that is not UTF-8 dropped\(place)"
      case .unmatchableNumber: "\(entries) with a number that no caller can have\(place)"
      case .refusedAdd: "\(count) \(count == 1 ? "call" : "calls") of add refused without looking at the entry"
      case .errorThenSuccess: "the provider reported an error and then success"
      case .killedAfterGrace: "the provider did not return in time and was killed"
      case .noDigest: "the library's digest is not known"
      }
    return detail.isEmpty ? text : "\(text): \(detail)"
  }
}
