internal import CallDirectory
internal import DirectorySources
internal import SystemSupport

/// `--conflicts FILE`: a line `number TAB label TAB file TAB line TAB used` for each distinct label of the numbers that
/// have several, in ascending order of number, labels in the order of their first rows. `used` names the providers that
/// got the label, with a comma between them; it is empty for a label that lost. Consecutive numbers with the same rows,
/// as ranges give them, are one `first-last` where the same providers use the same labels.
///
/// One thread uses it. Memory for the labels of one number.
final class ConflictsFile {
  private let file: ReplacedFile
  private let files: [SourceFile]
  private let providers: [ProviderID]
  /// What the providers got of the numbers at hand.
  private var used: [(provider: Int, label: UnsafeRawBufferPointer)] = []
  /// Positions of the first rows with each label, of the segment at hand.
  private var labels: [Int] = []
  /// The first number that is still to be written, of the segment at hand, and who uses its labels.
  private var held: (first: PhoneNumber, users: [String]) = (PhoneNumber(0), [])

  /// Conflicts between rows of `files` for the file `path`. Fails with a `ReleaseError` where none can be made.
  init(_ path: String, files: [SourceFile], providers: [ProviderID]) throws {
    file = try ReplacedFile(path)
    self.files = files
    self.providers = providers
  }

  /// A provider gets an entry of each number at hand; its label is borrowed until the numbers are ended.
  func take(_ provider: Int, _ run: EntryRun) {
    if let label = run.entry.label { used.append((provider, label)) }
  }

  /// Ends numbers of `segment`, whose numbers have the same rows and are ended in ascending order. Requires: `rows` stay
  /// until the last one is.
  func end(
    _ numbers: ClosedRange<PhoneNumber>, of segment: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>,
    isConflict: Bool
  ) throws(SystemError) {
    defer { used.removeAll(keepingCapacity: true) }
    guard isConflict else { return }
    let number = numbers.lowerBound
    if number == segment.lowerBound { labels = distinctLabels(rows) }
    let providers = Dictionary(grouping: used) { Label($0.label) }
    let users = labels.map { row in
      (providers[Label(rows[row].label)] ?? []).map(\.provider).sorted()
        .map { self.providers[$0].rawValue }.joined(separator: ",")
    }
    if number == segment.lowerBound {
      held = (number, users)
    } else if users != held.users {
      try write(held.first...PhoneNumber(number.rawValue - 1), rows)
      held = (number, users)
    }
    if numbers.upperBound == segment.upperBound { try write(held.first...segment.upperBound, rows) }
  }

  /// Positions of the first rows with each label. A number may have as many labels as there are rows.
  private func distinctLabels(_ rows: UnsafeBufferPointer<SourceRow>) -> [Int] {
    var seen: Set<Label> = []
    return rows.indices.filter { index in
      rows[index].action.families.contains(.identification) && !rows[index].label.isEmpty
        && seen.insert(Label(rows[index].label)).inserted
    }
  }

  private func write(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>
  ) throws(SystemError) {
    let first = "\(numbers.lowerBound.rawValue)"
    let name = numbers.lowerBound == numbers.upperBound ? first : "\(first)-\(numbers.upperBound.rawValue)"
    for (index, users) in zip(labels, held.users) {
      let row = rows[index]
      try file.write("\(name)\t")
      try file.field(row.label)
      try file.write("\t")
      try file.field(files.indices.contains(row.file) ? files[row.file].path : "")
      try file.write("\t\(row.line)\t\(users)\n")
    }
  }

  /// A label by its bytes, borrowed.
  private struct Label: Hashable {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    static func == (a: Label, b: Label) -> Bool { a.bytes.elementsEqual(b.bytes) }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
  }

  /// Gives the file its name.
  func commit() throws(SystemError) { try file.commit() }
}
