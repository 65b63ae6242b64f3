/// The words that introduce an extension, and the prefix of a telephone URI.
enum ExtensionWord {
  /// Lower-case, longest spelling of a family not needed first: a word is compared as a whole.
  private static func isKnown(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    switch word.count {
    case 1: equal(word, "x")
    case 2: equal(word, "xt")
    case 3: equal(word, "ext") || equal(word, "int") || equal(word, "xtn") || equal(word, "转")
    case 4: equal(word, "extn") || equal(word, "вн")
    case 5: equal(word, "anexo")
    case 6: equal(word, "доб") || equal(word, "分机") || equal(word, "分機")
    case 9: equal(word, "extension")
    case 10: equal(word, "extensión")
    case 18: equal(word, "внутренний")
    case 20: equal(word, "добавочный")
    default: false
    }
  }

  private static func equal(_ word: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard word.count == text.utf8CodeUnitCount else { return false }
    return word.indices.allSatisfy { word[$0] == text.utf8Start[$0] }
  }

  /// The longest word kept, in bytes; longer ones are no extension words.
  static let maximumLength = 24

  /// Where the extension word at `index` ends, or nil when the letters there are another word.
  static func end(in text: UTF8Reader, at index: Int) -> Int? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumLength) { word -> Int? in
      var count = 0
      var position = index
      while let (scalar, length) = text.character(at: position), case .letter = ScalarClass(scalar) {
        guard let encoded = UTF8.encode(lowered(scalar)), count + encoded.count <= maximumLength else { return nil }
        for byte in encoded {
          word[count] = byte
          count += 1
        }
        position += length
      }
      return isKnown(UnsafeBufferPointer(rebasing: word[..<count])) ? position : nil
    }
  }

  /// Lower case for the alphabets the words are written in; full-width Latin becomes plain.
  private static func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let value = scalar.value
    let lower: UInt32
    switch value {
    case 0x41...0x5A, 0x410...0x42F, 0xC0...0xD6: lower = value + 0x20
    case 0xFF21...0xFF3A: lower = value - 0xFF21 + 0x61
    case 0xFF41...0xFF5A: lower = value - 0xFF41 + 0x61
    default: lower = value
    }
    return Unicode.Scalar(lower) ?? scalar
  }

  /// Whether the text at `index` is `word`, ASCII, in either case.
  static func isAt(_ index: Int, _ word: StaticString, in text: UTF8Reader) -> Bool {
    guard index <= text.count, word.utf8CodeUnitCount <= text.count - index else { return false }
    return (0..<word.utf8CodeUnitCount).allSatisfy { text[index + $0] | 0x20 == word.utf8Start[$0] | 0x20 }
  }
}
