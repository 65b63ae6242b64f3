internal import SystemSupport

/// What a source's area map says: texts of cells and the areas they stand for.
///
/// The file has one pair per line, `value TAB area`, in UTF-8; blank lines and lines that begin with `#` say nothing.
/// Blanks around either do not count. Read once per run and shared by all threads; a look-up does not allocate.
final class AreaMap: Sendable {
  private let values: ByteStringTable
  /// The texts of the areas.
  private let areas: ByteStringTable
  /// By value: the index of its area.
  private let areaOfValue: [Int]

  /// The most bytes a map may have.
  private static let mostBytes = 64 << 20

  /// Reads the map of `source` at `path`. Fails when it cannot be read, is not UTF-8, has a line that is no pair, or
  /// gives one value two areas.
  init(_ path: String, source: String) throws(SourceError) {
    let bytes: [UInt8]
    do {
      // A pipe without writer would be waited for without a word.
      guard try FileSystem.status(path)?.kind != .other else { throw Self.noFile(path, source: source) }
      bytes = try FileSystem.read(path, limit: Self.mostBytes)
    } catch let error as SystemError {
      throw Self.unreadable(error, path, source: source)
    } catch {
      throw Self.noFile(path, source: source)
    }
    var values = ByteStringTable()
    var areas = ByteStringTable()
    var areaOfValue: [Int] = []
    var lines: [Int] = []
    var fault: (line: Int, what: String, hint: String)?
    bytes.withUnsafeBytes { bytes in
      var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      var number = 0
      while start < bytes.count, fault == nil {
        number += 1
        let rest = bytes[start...]
        let end = rest.firstIndex { $0 == Byte.lineFeed || $0 == Byte.carriageReturn } ?? bytes.count
        let whole = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        let isPair = end + 1 < bytes.count && bytes[end] == Byte.carriageReturn && bytes[end + 1] == Byte.lineFeed
        start = end + (isPair ? 2 : 1)
        if case .invalid(let offset) = LabelText.condition(of: whole) {
          fault = (number, "byte \(offset + 1) of the line is not valid UTF-8", "convert the file to UTF-8")
          return
        }
        let visible = LabelText.trimmed(whole)
        if visible.isEmpty || visible[0] == Byte.hash { continue }
        let tabs = whole.indices.filter { whole[$0] == Byte.tab }
        guard let tab = tabs.first, tabs.count == 1 else {
          let found = tabs.isEmpty ? "no tab" : "\(tabs.count) tabs"
          fault = (number, "expected a value, a tab and an area, found \(found)", "begin comments with #")
          return
        }
        let value = LabelText.trimmed(UnsafeRawBufferPointer(rebasing: whole[..<tab]))
        let area = LabelText.trimmed(UnsafeRawBufferPointer(rebasing: whole[(tab + 1)...]))
        guard !value.isEmpty, !area.isEmpty else {
          let side = value.isEmpty ? "in front of" : "behind"
          fault = (number, "nothing stands \(side) the tab", "complete the line, or make it a comment with #")
          return
        }
        let place: Int
        if let known = areas.index(of: area) {
          place = known
        } else {
          areas.insert(area)
          place = areas.count - 1
        }
        if let known = values.index(of: value) {
          guard areaOfValue[known] != place else { continue }
          let text = String(decoding: value, as: UTF8.self)
          fault = (number, "\"\(text)\" has another area in line \(lines[known])", "remove one of the two lines")
          return
        }
        values.insert(value)
        areaOfValue.append(place)
        lines.append(number)
      }
    }
    if let fault {
      throw SourceError(
        .data, source: source, file: path, line: fault.line, key: "areaMap", fault.what, hint: fault.hint)
    }
    self.values = values
    self.areas = areas
    self.areaOfValue = areaOfValue
  }

  private static func noFile(_ path: String, source: String) -> SourceError {
    SourceError(
      .noInput, source: source, file: path, key: "areaMap",
      "the \"areaMap\" of source \"\(source)\" is a pipe or a device, not a file",
      hint: "write its lines to a file and name that")
  }

  private static func unreadable(_ error: SystemError, _ path: String, source: String) -> SourceError {
    SourceError(
      error.remedy == nil ? .noInput : .io, source: source, file: path, key: "areaMap",
      "cannot \(error.operation) the \"areaMap\" of source \"\(source)\": \(error.reason)",
      hint: error.remedy
        ?? "name a file of at most \(mostBytes >> 20) MB that this user may read; paths are relative to the plan file")
  }

  /// Calls `body` with the area that `value` stands for, or with nil when the map does not list it.
  @inline(__always)
  func withArea<R>(of value: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer?) -> R) -> R {
    guard let index = values.index(of: value) else { return body(nil) }
    return areas.withText(areaOfValue[index]) { body($0) }
  }
}
