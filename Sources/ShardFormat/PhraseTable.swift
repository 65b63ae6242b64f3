internal import Digests

/// A phrase dictionary, decoded for reading: one table of codes per context, and the bytes of the phrases. About
/// 0.5 MB, shared by all open shards with the same dictionary. Never changes.
final class PhraseTable: @unchecked Sendable {
  /// What is wrong with a dictionary.
  struct Fault: Error {
    var expectation: String
    var found: String
  }

  /// An entry of a code table: the length of the code (bits 0 … 3), how many bytes the phrase has (4 … 8), whether it ends
  /// the label (9), the context of what follows (10 … 12) and the phrase (18 … 31). Where the length is 0, bits 4 … 31 say
  /// where the eight entries stand that the next three bits choose from.
  enum Entry {
    static let codeLength: UInt32 = 15
    static let byteCountShift: UInt32 = 4
    static let byteCount: UInt32 = 31
    static let ends: UInt32 = 1 << 9
    static let contextShift: UInt32 = 10
    static let context: UInt32 = 7
    static let phraseShift: UInt32 = 18
    static let groupShift: UInt32 = 4
  }

  static let directBits = 12
  static let groupBits = CanonicalCode.longest - directBits

  /// The digest of the section it was decoded from.
  let digest: SHA256Digest
  let phraseCount: Int
  let contextCount: Int
  /// 2^12 entries for each context: what the next 12 bits begin with. Behind them, for longer codes, groups of eight. One
  /// table of 2^15 entries would do without groups, but the codes that are used most would not stay in the cache.
  let entries: UnsafeMutablePointer<UInt32>
  /// 16 bytes for each phrase.
  let phrases: UnsafeMutableRawPointer

  /// Decodes a section. O(phrases × contexts), about 1 ms.
  init(_ bytes: UnsafeRawBufferPointer, digest: SHA256Digest) throws(Fault) {
    let dictionary = try PhraseList(bytes)
    self.digest = digest
    phraseCount = dictionary.phrases.count
    contextCount = dictionary.lengths.count
    phrases = .allocate(byteCount: max(1, phraseCount) * PhraseList.longestPhrase, alignment: 16)
    phrases.initializeMemory(as: UInt8.self, repeating: 0, count: max(1, phraseCount) * PhraseList.longestPhrase)
    for (index, phrase) in dictionary.phrases.enumerated() {
      for (at, byte) in phrase.bytes.enumerated() {
        phrases.storeBytes(of: byte, toByteOffset: index * PhraseList.longestPhrase + at, as: UInt8.self)
      }
    }
    let size = 1 << Self.directBits
    var table = [UInt32](repeating: 0, count: contextCount * size)
    for (context, lengths) in dictionary.lengths.enumerated() {
      // `PhraseList` made sure that the codes are complete, so every entry is written.
      guard let code = CanonicalCode(lengths: lengths) else { continue }
      for (index, phrase) in dictionary.phrases.enumerated() where lengths[index] > 0 {
        let entry =
          UInt32(lengths[index]) | UInt32(phrase.bytes.count) << Entry.byteCountShift
          | (phrase.ends ? Entry.ends : 0) | UInt32(phrase.nextContext) << Entry.contextShift
          | UInt32(index) << Entry.phraseShift
        let length = Int(lengths[index])
        let bits = Int(code.bits[index])
        var at = context * size + bits & (size - 1)
        if length <= Self.directBits {
          for at in stride(from: context * size + bits, to: (context + 1) * size, by: 1 << length) { table[at] = entry }
        } else {
          if table[at] == 0 {
            table[at] = UInt32(table.count) << Entry.groupShift
            table += [UInt32](repeating: 0, count: 1 << Self.groupBits)
          }
          at = Int(table[at] >> Entry.groupShift)
          let step = 1 << (length - Self.directBits)
          for group in stride(from: bits >> Self.directBits, to: 1 << Self.groupBits, by: step) {
            table[at + group] = entry
          }
        }
      }
    }
    entries = .allocate(capacity: max(1, table.count))
    entries.initialize(from: table, count: table.count)
  }

  deinit {
    entries.deallocate()
    phrases.deallocate()
  }
}
