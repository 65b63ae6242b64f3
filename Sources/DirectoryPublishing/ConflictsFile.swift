internal import CallDirectory
internal import DirectorySources
internal import SystemSupport

/// `--conflicts FILE`: a line `number TAB label TAB file TAB line TAB used` for each distinct label of the numbers that
/// have several, in ascending order of number, labels in the order of their first rows. `used` names the providers that
/// got the label, with a comma between them; it is empty for a label that lost.
///
/// One thread uses it. Memory for the labels of one number.
final class ConflictsFile {
  private let file: ReplacedFile
  private let files: [SourceFile]
  private let providers: [ProviderID]
  /// What the providers got of the number at hand.
  private var used: [(provider: Int, label: UnsafeRawBufferPointer)] = []

  /// Conflicts between rows of `files` for the file `path`. Fails with a `ReleaseError` where none can be made.
  init(_ path: String, files: [SourceFile], providers: [ProviderID]) throws {
    file = try ReplacedFile(path)
    self.files = files
    self.providers = providers
  }

  /// A provider gets an entry of the number at hand; its label is borrowed until the number is ended.
  func take(_ provider: Int, _ entry: DirectoryEntry) {
    if let label = entry.label { used.append((provider, label)) }
  }

  /// Ends a number, with its lines where its labels differ.
  func end(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, isConflict: Bool) throws(SystemError) {
    defer { used.removeAll(keepingCapacity: true) }
    guard isConflict else { return }
    // A number may have as many labels as there are rows.
    let users = Dictionary(grouping: used) { Label($0.label) }
    var seen: Set<Label> = []
    for row in rows where row.action.families.contains(.identification) && !row.label.isEmpty {
      let label = Label(row.label)
      guard seen.insert(label).inserted else { continue }
      try file.write("\(number.rawValue)\t")
      try file.field(row.label)
      try file.write("\t")
      try file.field(files.indices.contains(row.file) ? files[row.file].path : "")
      let ids = (users[label] ?? []).map(\.provider).sorted().map { providers[$0].rawValue }
      try file.write("\t\(row.line)\t\(ids.joined(separator: ","))\n")
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
