internal import CommandLineKit
internal import PositionedJSON

extension Console {
  /// Writes a finished document to the output, as it is.
  func print(_ json: consuming JSONWriter) throws { try write(String(decoding: json.take(), as: UTF8.self)) }
}
