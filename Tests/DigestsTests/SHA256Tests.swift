import Digests
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
}
