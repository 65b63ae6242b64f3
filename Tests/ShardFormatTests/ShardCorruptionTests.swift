import CallDirectory
import Digests
import Foundation
import ShardFormat
import ShardWriting
import TestSupport
import Testing

/// What a damaged file may do: give a typed error. Never a trap, never a wrong answer after `verify`.
@Suite struct ShardCorruptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ShardProfile.allCases) func `Undamaged it is what was written`(_ profile: ShardProfile) throws {
    let shard = try SoundShard(profile)
    #expect(try shard.examine(shard.sound) == shard.rows)
  }

  @Test(arguments: [UInt8(0x01), 0xFF], ShardProfile.allCases) func `Each byte flipped is found`(
    _ mask: UInt8, _ profile: ShardProfile
  ) throws {
    let shard = try SoundShard(profile)
    let sound = shard.sound
    for offset in sound.indices {
      var bytes = sound
      bytes[offset] ^= mask
      #expect(try shard.outcome(bytes) == nil, "byte \(offset)")
    }
  }

  @Test(arguments: ShardProfile.allCases) func `Cut short at any length, or added to, it does not open`(
    _ profile: ShardProfile
  ) throws {
    let shard = try SoundShard(profile)
    let sound = shard.sound
    for length in sound.indices {
      let path = try folder.write(Array(sound[..<length]), to: "short")
      #expect(throws: ShardError.self, "\(length) bytes") { try Shard(path) }
    }
    for added in [1, 64, 192, 4096] {
      let path = try folder.write(sound + [UInt8](repeating: 0, count: added), to: "long")
      #expect(throws: ShardError.self) { try Shard(path) }
    }
    let twice = try folder.write(sound + sound, to: "twice")
    #expect(throws: ShardError.self) { try Shard(twice) }
  }

  @Test(arguments: ShardProfile.allCases) func `Damage with right checksums is found or says the same`(
    _ profile: ShardProfile
  ) throws {
    let shard = try SoundShard(profile)
    let sound = shard.sound
    var random = SeededGenerator(seed: 51)
    #expect(shard.resealed(sound) == sound)
    for round in 0..<2000 {
      var bytes = sound
      let offset = Int.random(in: 0..<sound.count, using: &random)
      switch round % 4 {
      case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
      case 2:
        for index in offset..<min(offset + 8, sound.count) { bytes[index] = 0xFF }
      default:
        for _ in 0..<4 {
          bytes[Int.random(in: 0..<sound.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      if let found = try shard.outcome(shard.resealed(bytes)) { #expect(found == shard.rows, "round \(round)") }
    }
  }

  @Test(arguments: ShardProfile.allCases)
  func `Every field of the trailer with an extreme value and right checksums is survived`(
    _ profile: ShardProfile
  ) throws {
    let shard = try SoundShard(profile)
    let sound = shard.sound
    let trailer = sound.count - 192
    let extremes: [[UInt8]] = [
      [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0xFF, count: 8), [UInt8](repeating: 0xFF, count: 7) + [0x7F],
      [UInt8](repeating: 0, count: 7) + [0x80], [0xC0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    ]
    for field in stride(from: trailer - 128, to: sound.count - 16, by: 8) {
      for value in extremes {
        var bytes = sound
        bytes.replaceSubrange(field..<(field + 8), with: value)
        if let found = try shard.outcome(shard.resealed(bytes)) {
          #expect(found == shard.rows, "field \(field - trailer)")
        }
      }
    }
  }

  @Test(arguments: ShardProfile.allCases)
  func `A newer major version, an unknown profile, kind, flag or needed section is told apart from damage`(
    _ profile: ShardProfile
  ) throws {
    let shard = try SoundShard(profile)
    let sound = shard.sound
    let trailer = sound.count - 192
    for (offset, value) in [(8, UInt8(2)), (12, 2), (13, 3), (trailer + 24, 2)] {
      var bytes = sound
      bytes[offset] = value
      let path = try folder.write(shard.resealed(bytes), to: "newer")
      let error = #expect(throws: ShardError.self) { try Shard(path) }
      #expect(error?.code == .unsupported, "byte \(offset)")
      #expect(error?.fix.contains("newer") == true)
    }
  }

  @Test(arguments: ShardProfile.allCases)
  func `A newer minor version, an unknown informative flag and a section that may be skipped are read`(
    _ profile: ShardProfile
  ) throws {
    let shard = try SoundShard(profile)
    let sound = shard.sound
    let trailer = sound.count - 192
    var bytes = sound
    bytes[10] = 7
    bytes[trailer + 27] = 0x80
    #expect(try shard.examine(shard.resealed(bytes)) == shard.rows)

    let naive = try NaiveShard(bytes: sound)
    let extra = NaiveShard.Section(
      id: 99, flags: 0, offset: trailer - (32 * shard.sections.count + 63) / 64 * 64, length: 5,
      checksum: NaiveShard.checksum(Array("hello".utf8)))
    let grown = shard.frame(naive, adding: extra, content: Array("hello".utf8))
    #expect(try shard.examine(grown) == shard.rows)
    #expect(try Shard(shard.folder.path("damaged")).sections.last?.id.rawValue == 99)

    var needed = extra
    needed.flags = 1
    let path = try folder.write(shard.frame(naive, adding: needed, content: Array("hello".utf8)), to: "needed")
    let error = #expect(throws: ShardError.self) { try Shard(path) }
    #expect(error?.code == .unsupported)
  }

  static let others: [(name: String, bytes: [UInt8])] = [
    ("empty", []), ("text", Array("hello\n".utf8)), ("magic alone", Array("SHARD\r\n\0".utf8)),
    ("text mode copy", Array("SHARD\n\0".utf8) + [UInt8](repeating: 0, count: 400)),
  ]

  @Test(arguments: others) func `Another file is not a shard`(_ other: (name: String, bytes: [UInt8])) throws {
    let path = try folder.write(other.bytes, to: "other")
    let error = #expect(throws: ShardError.self) { try Shard(path) }
    #expect(error?.path == path)
    #expect(error?.code == (other.name == "magic alone" ? .wrongSize : .notAShard))
  }

  @Test func `A folder and a missing file are the system's errors`() {
    #expect(throws: (any Error).self) { try Shard(folder.path) }
    #expect(throws: (any Error).self) { try Shard(folder.path("none")) }
  }
}
