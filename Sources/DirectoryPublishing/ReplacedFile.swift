internal import ShardWriting
internal import SystemSupport

/// A file that is written beside its final name and takes it in one step when it is complete, so that whoever reads it
/// sees the file from before or all of the new one. Until then it has no name where the disk can do that, so that nothing
/// stays behind a process that is stopped; elsewhere a temporary one. A device or a pipe is written to as it is. Errors
/// name the file by the name it gets.
final class ReplacedFile {
  /// The name it gets.
  let path: String
  /// Where it lies until then.
  private enum Place {
    case unnamed
    case named(String)
    case asItIs
  }

  private let place: Place
  private let writer: FileWriter
  private var isDone = false

  /// Begins the file. Fails with a `ReleaseError` when it cannot be made.
  init(_ path: String) throws {
    self.path = path
    do {
      let existing = try FileSystem.status(path)
      let file: OpenFile
      if let existing, existing.kind != .regular {
        place = .asItIs
        file = try OpenFile(path, .overwrite)
      } else if let unnamed = try OpenFile(unnamedFor: path) {
        place = .unnamed
        file = unnamed
      } else {
        let temporary = "\(path).\(CurrentProcess.id).tmp"
        place = .named(temporary)
        file = try OpenFile(temporary, .overwrite, shownAs: path)
      }
      writer = FileWriter(file, bufferSize: 1 << 16)
    } catch {
      throw ReleaseError(
        kind: .notWritable, path: path, what: "cannot be written: \(error.reason)",
        hint: error.remedy ?? "name a file in a folder that exists and is yours")
    }
  }

  deinit { discard() }

  /// Appends bytes as they are.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) { try writer.write(bytes) }

  /// Appends text as it is.
  func write(_ text: String) throws(SystemError) { try writer.write(text) }

  /// Appends a field of a tab-separated line, escaped.
  func field(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var plain = 0
    for index in bytes.indices {
      guard let letter = TabSeparatedField.letter(for: bytes[index]) else { continue }
      try writer.write(UnsafeRawBufferPointer(rebasing: bytes[plain..<index]))
      try writer.write(UInt8(ascii: "\\"))
      try writer.write(letter)
      plain = index + 1
    }
    try writer.write(UnsafeRawBufferPointer(rebasing: bytes[plain...]))
  }

  /// Appends a field of a tab-separated line, escaped.
  func field(_ text: String) throws(SystemError) {
    var text = text
    let result: Result<Void, SystemError> = text.withUTF8 { bytes in
      Result { () throws(SystemError) in try field(UnsafeRawBufferPointer(bytes)) }
    }
    try result.get()
  }

  /// Gives the file its name. After an error it is gone, and a file from before stands.
  func commit() throws(SystemError) {
    try writer.flush()
    switch place {
    case .unnamed: try FileSystem.replace(path, by: writer.file)
    case .named(let temporary): try FileSystem.rename(temporary, to: path)
    case .asItIs: break
    }
    isDone = true
  }

  /// Leaves nothing of it; a file from before stands. Of no effect after `commit`.
  func discard() {
    guard !isDone else { return }
    isDone = true
    if case .named(let temporary) = place { try? FileSystem.remove(temporary) }
  }
}
