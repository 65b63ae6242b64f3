import CDigests
import Digests
import TestSupport
import Testing

@Suite struct SHA256Tests {
  static let vectors: [(text: String, hex: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ]

  @Test(arguments: vectors) func `The vectors of FIPS 180-4 come out`(_ vector: (text: String, hex: String)) {
    let digest = Array(vector.text.utf8).withUnsafeBytes { SHA256.digest(of: $0) }
    #expect(digest.hex == vector.hex)
    #expect(SHA256Digest(hex: vector.hex) == digest)
  }

  @Test func `A million times a, in uneven pieces, comes out as FIPS 180-4 says`() {
    var random = SeededGenerator(seed: 1)
    let letters = [UInt8](repeating: 0x61, count: 5000)
    var hash = SHA256()
    var rest = 1_000_000
    while rest > 0 {
      let count = min(rest, Int.random(in: 0...5000, using: &random))
      letters[..<count].withUnsafeBytes { hash.update($0) }
      rest -= count
    }
    #expect(hash.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `Every split of a text gives one digest, and a copy goes on by itself`() {
    let text = (0..<200).map { UInt8($0) }
    text.withUnsafeBytes { text in
      for length in 0...200 {
        let whole = UnsafeRawBufferPointer(rebasing: text[..<length])
        let digest = SHA256.digest(of: whole)
        for split in 0...length {
          var hash = SHA256()
          hash.update(UnsafeRawBufferPointer(rebasing: whole[..<split]))
          #expect(hash.finish() == SHA256.digest(of: UnsafeRawBufferPointer(rebasing: whole[..<split])))
          hash.update(UnsafeRawBufferPointer(rebasing: whole[split...]))
          #expect(hash.finish() == digest, "\(split) of \(length)")
        }
      }
    }
  }

  @Test func `The portable loop and the processor's instructions agree`() {
    var random = SeededGenerator(seed: 2)
    for blocks in [0, 1, 2, 3, 17, 100] {
      let bytes = (0..<(64 * blocks)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let start = (0..<8).map { _ in UInt32.random(in: 0...(.max), using: &random) }
      var (fast, portable) = (start, start)
      cdigests_sha256(&fast, bytes, blocks)
      cdigests_sha256_portable(&portable, bytes, blocks)
      #expect(fast == portable)
    }
  }

  @Test func `Digests are read from hexadecimal digits and bytes of the right length alone`() throws {
    let digest = SHA256().finish()
    #expect(SHA256Digest(hex: digest.hex.uppercased()) == digest)
    #expect(digest.bytes.withUnsafeBytes { SHA256Digest(bytes: $0) } == digest)
    #expect(digest.hex(digits: 16) == "e3b0c44298fc1c14")
    #expect("\(digest)" == digest.hex)
    for wrong in [
      "", String(digest.hex.dropLast()), digest.hex + "0", "g" + digest.hex.dropFirst(), "ж" + digest.hex.dropFirst(2),
    ] {
      #expect(SHA256Digest(hex: wrong) == nil)
    }
    #expect(digest.bytes.dropLast().withUnsafeBytes { SHA256Digest(bytes: $0) } == nil)
  }
}
