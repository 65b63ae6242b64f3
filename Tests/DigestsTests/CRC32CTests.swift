import CDigests
import Digests
import TestSupport
import Testing

@Suite struct CRC32CTests {
  // RFC 3720, B.4, and the check value of the catalogue of parametrised CRC algorithms.
  static let vectors: [(bytes: [UInt8], crc: UInt32)] = [
    ([], 0), (Array("123456789".utf8), 0xE306_9283),
    ([UInt8](repeating: 0, count: 32), 0x8A91_36AA), ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
    ((0..<32).map { UInt8($0) }, 0x46DD_794E), ((0..<32).map { UInt8(31 - $0) }, 0x113F_DB5C),
  ]

  @Test(arguments: vectors) func `The vectors of RFC 3720 come out`(_ vector: (bytes: [UInt8], crc: UInt32)) {
    #expect(vector.bytes.withUnsafeBytes { CRC32C.checksum(of: $0) } == vector.crc)
    #expect(cdigests_crc32c_portable(0, vector.bytes, vector.bytes.count) == vector.crc)
  }

  @Test func `The portable loop and the processor's instructions agree at every length and split`() {
    var random = SeededGenerator(seed: 3)
    let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes.withUnsafeBytes { bytes in
      for length in 0...300 {
        let whole = UnsafeRawBufferPointer(rebasing: bytes[..<length])
        let crc = CRC32C.checksum(of: whole)
        #expect(crc == cdigests_crc32c_portable(0, whole.baseAddress, length))
        let split = Int.random(in: 0...length, using: &random)
        var parts = CRC32C()
        parts.update(UnsafeRawBufferPointer(rebasing: whole[..<split]))
        parts.update(UnsafeRawBufferPointer(rebasing: whole[split...]))
        #expect(parts.value == crc)
      }
    }
  }
}
