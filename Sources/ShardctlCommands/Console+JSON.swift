internal import CommandLineKit
internal import PositionedJSON

extension Console {
  /// Writes a finished document to the output, as it is, with a line end behind it.
  func print(_ json: consuming JSONWriter) throws {
    let text = String(decoding: json.take(), as: UTF8.self)
    try write(text.hasSuffix("\n") ? text : text + "\n")
  }
}
