internal import SystemSupport

/// Converters for the texts of vCards that state a character set of their own, one per character set that was met. One
/// thread at a time.
final class CardConverters {
  private var converters: [TextEncoding: TextConverter] = [:]

  /// The most bytes of UTF-8 that a byte in another encoding becomes.
  static let growth = 3
  /// The least room that a conversion is given.
  static let leastRoom = 16

  /// Writes `text` as UTF-8 to `target`, which has room for `growth` bytes per byte and no less than `leastRoom`. Returns
  /// the bytes written; nil when `text` is not in the encoding, or the system has no converter for it. No allocation once
  /// the encoding has been met, but for texts that are not in it.
  func convert(
    _ text: UnsafeRawBufferPointer, from encoding: TextEncoding, to target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let converter = converters[encoding] ?? (try? TextConverter(from: encoding.converterName)) else { return nil }
    converters[encoding] = converter
    do throws(TextConverter.InvalidText) {
      var (taken, written) = (0, 0)
      while taken < text.count {
        let step = try converter.convert(
          UnsafeRawBufferPointer(rebasing: text[taken...]),
          into: UnsafeMutableRawBufferPointer(rebasing: target[written...]))
        taken += step.taken
        written += step.written
      }
      try converter.finish()
      return written
    } catch {
      // It may hold the beginning of a character.
      converters[encoding] = nil
      return nil
    }
  }
}
