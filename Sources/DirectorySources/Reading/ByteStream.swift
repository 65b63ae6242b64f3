internal import SystemSupport

/// Bytes that come one after the other. One thread at a time.
protocol ByteStream: AnyObject {
  /// Fills a part of `buffer`, which is not empty, and returns how many bytes; 0 only at the end of the stream, which is
  /// then known to be complete. The error names the file but no source.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int

  /// Bytes of the file on disk that have been taken so far; of a pipe, bytes it gave.
  var taken: Int { get }
}

/// The bytes of a file or pipe as they are.
final class FileStream: ByteStream {
  private let file: OpenFile
  private(set) var taken = 0

  init(_ file: OpenFile) { self.file = file }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    do {
      let count = try file.read(into: buffer)
      taken += count
      return count
    } catch {
      throw SourceError(error, source: "")
    }
  }
}

/// What a packed file holds, unpacked by the system's program.
final class UnpackedStream: ByteStream {
  private let filter: FilterProcess
  private let file: OpenFile
  private let compression: Compression
  private let isRegular: Bool
  private var given = 0

  /// Starts the program, which is looked for in `folders`.
  init(_ file: OpenFile, _ compression: Compression, isRegular: Bool, folders: [String]) throws(SourceError) {
    self.file = file
    self.compression = compression
    self.isRegular = isRegular
    let name = compression.rawValue
    guard let program = Machine.program(name, in: folders) else {
      throw SourceError(
        .io, file: file.path, key: "file", "the file is packed with \(name), and the program \(name) is not installed",
        hint: "install \(name), or unpack the file and name the unpacked one")
    }
    do {
      filter = try FilterProcess(program, compression.arguments, input: file)
    } catch {
      throw SourceError(
        .io, file: file.path, key: "file", "cannot \(error.operation) \(program): \(error.reason)",
        hint: error.remedy ?? Self.hint(program))
    }
  }

  private static func hint(_ program: String) -> String {
    "see why this machine cannot execute \(program), or unpack the file and name the unpacked one"
  }

  /// The program shares the open file, so its position is how far the program is.
  var taken: Int { isRegular ? (try? file.position()) ?? 0 : given }

  /// C-19: the end of the output counts only when the program says that the file was whole.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    let failure: FilterProcess.Failure?
    do {
      let count = try filter.read(into: buffer)
      given += count
      if count > 0 { return count }
      failure = try filter.end()
    } catch {
      throw SourceError(
        .io, file: file.path, "cannot \(error.operation): \(error.reason)", hint: error.remedy ?? "")
    }
    guard let failure else { return 0 }
    let name = compression.rawValue
    let words = failure.message.isEmpty ? "it ended with status \(failure.status)" : failure.message
    throw SourceError(
      .data, file: file.path, key: "file",
      "\(name) cannot unpack the file: \(words) (behind \(given) bytes of unpacked data)",
      // What a program says of itself that never came to read anything, as where a library of its own is missing.
      hint: failure.status == 126 || failure.status == 127
        ? "try \(name) -t on the file: the program itself may not work; or name the unpacked file"
        : "the file is cut short or damaged: get it again, and test it with \(name) -t")
  }
}
