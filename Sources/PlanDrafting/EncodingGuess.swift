internal import DirectorySources

/// Tells the encoding of a text without mark from its bytes, where that is possible by a rule that can be stated:
///
/// - where nearly a third of every second byte or more is zero, and hardly any of the others, it is UTF-16 of that byte
///   order: ASCII characters, of which tables and numbers have many, have such bytes;
/// - valid UTF-8 is UTF-8;
/// - bytes from 0x80 that stand in runs of even length, ten pairs or more, nine of ten of them at places of common Chinese
///   characters and a tenth of the bytes below 0xC0, where the Cyrillic tables have hardly a letter, are GB 18030;
/// - words of letters from 0xC0 that are nearly all from the upper half behind their first letter (0xE0 …) are
///   windows-1251, nearly all from the lower half (0xC0 …) KOI8-R: small Cyrillic letters stand there;
/// - such letters that nearly always stand alone or in pairs between ASCII letters are windows-1252.
///
/// Anything else is not guessed.
enum EncodingGuess {
  /// The encoding of `bytes`, the beginning of a text; nil when no rule holds.
  static func encoding(of bytes: ArraySlice<UInt8>, isWhole: Bool) -> TextEncoding? {
    if let order = utf16(bytes) { return order }
    if isUTF8(bytes, isWhole: isWhole) { return .utf8 }
    let words = HighRuns(bytes)
    guard words.bytes > 0 else { return nil }
    let isPaired = words.evenRuns * 20 >= words.runs * 19 && words.hanzi * 10 >= words.bytes / 2 * 9
    if isPaired, words.hanzi >= 10, words.low * 10 >= words.bytes { return .gb18030 }
    if words.tails >= 20 {
      if words.upperTails * 10 >= words.tails * 9 { return .windows1251 }
      if words.lowerTails * 10 >= words.tails * 9 { return .koi8r }
    }
    if words.shortBetweenLetters * 10 >= words.runs * 8 { return .windows1252 }
    return nil
  }

  /// Whether the bytes are UTF-8; a character that the end cuts is no fault in a part of a file.
  static func isUTF8(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> Bool {
    if String(validating: bytes, as: UTF8.self) != nil { return true }
    guard !isWhole else { return false }
    return (1...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>) -> TextEncoding? {
    var zeros = [0, 0]
    for (index, byte) in bytes.prefix(4096).enumerated() where byte == 0 { zeros[index % 2] += 1 }
    let half = min(bytes.count, 4096) / 2
    if half >= 8, zeros[1] * 10 >= half * 3, zeros[0] * 50 <= half { return .utf16LittleEndian }
    if half >= 8, zeros[0] * 10 >= half * 3, zeros[1] * 50 <= half { return .utf16BigEndian }
    return nil
  }

  /// What the runs of bytes from 0x80 on are like.
  private struct HighRuns {
    var bytes = 0
    /// Bytes below 0xC0, where the Cyrillic tables have hardly a letter.
    var low = 0
    var runs = 0
    var evenRuns = 0
    /// Pairs that are Chinese characters of the first level of GB 2312.
    var hanzi = 0
    /// Letters behind the first one of words of three or more, and those in either half.
    var tails = 0
    var upperTails = 0
    var lowerTails = 0
    /// Runs of one or two with an ASCII letter beside them.
    var shortBetweenLetters = 0

    init(_ text: ArraySlice<UInt8>) {
      var index = text.startIndex
      while index < text.endIndex {
        guard text[index] >= 0x80 else {
          index += 1
          continue
        }
        let start = index
        while index < text.endIndex, text[index] >= 0x80 { index += 1 }
        let run = text[start..<index]
        bytes += run.count
        low += run.count { $0 < 0xC0 }
        runs += 1
        if run.count % 2 == 0 { evenRuns += 1 }
        for pair in stride(from: start, to: index - 1, by: 2)
        where (0xB0...0xF7).contains(text[pair]) && text[pair + 1] >= 0xA1 || (0xA1...0xA3).contains(text[pair]) {
          hanzi += 1
        }
        if run.count >= 3, run.allSatisfy({ $0 >= 0xC0 }) {
          tails += run.count - 1
          upperTails += run.dropFirst().count { $0 >= 0xE0 }
          lowerTails += run.dropFirst().count { $0 < 0xE0 }
        }
        let before = start > text.startIndex ? text[start - 1] : 0
        let after = index < text.endIndex ? text[index] : 0
        if run.count <= 2, Self.isLetter(before) || Self.isLetter(after) { shortBetweenLetters += 1 }
      }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
  }
}
