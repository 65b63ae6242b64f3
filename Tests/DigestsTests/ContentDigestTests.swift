import Digests
import TestSupport
import Testing

@Suite struct ContentDigestTests {
  @Test func `It is the digest of number, length and label of each entry, whatever their size`() {
    var random = SeededGenerator(seed: 4)
    let digest = ContentDigest()
    var stream: [UInt8] = []
    var number: Int64 = 0
    for index in 0..<3000 {
      number += Int64.random(in: 1...(1 << 40), using: &random)
      let length = index % 500 == 0 ? 65_534 : Int.random(in: 1...60, using: &random)
      let label = [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: length)
      label.withUnsafeBytes { digest.append(number, label: $0) }
      withUnsafeBytes(of: number.littleEndian) { stream += $0 }
      withUnsafeBytes(of: UInt32(length).littleEndian) { stream += $0 }
      stream += label
      if index % 1000 == 7 { #expect(digest.finish() == stream.withUnsafeBytes { SHA256.digest(of: $0) }) }
    }
    #expect(digest.finish() == stream.withUnsafeBytes { SHA256.digest(of: $0) })
    #expect(digest.count == 3000)
  }

  @Test func `Blocking entries are their numbers alone, and no entries are no bytes`() {
    let digest = ContentDigest()
    #expect(digest.finish() == SHA256().finish())
    var stream: [UInt8] = []
    for number in stride(from: Int64(1), to: 50_000, by: 7) {
      digest.append(number)
      withUnsafeBytes(of: number.littleEndian) { stream += $0 }
    }
    #expect(digest.finish() == stream.withUnsafeBytes { SHA256.digest(of: $0) })
  }
}
