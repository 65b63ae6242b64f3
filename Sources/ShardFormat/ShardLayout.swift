/// The numbers of `FileFormat.md`: where each field stands.
package enum ShardLayout {
  package static let magic: [UInt8] = [0x53, 0x48, 0x41, 0x52, 0x44, 0x0D, 0x0A, 0x00]  // "SHARD\r\n\0"
  package static let endMagic: [UInt8] = [0x53, 0x48, 0x41, 0x52, 0x44, 0x45, 0x4E, 0x44]  // "SHARDEND"
  package static let major: UInt16 = 1
  package static let minor: UInt16 = 2
  package static let kindShard: UInt8 = 1

  /// The head: what is known before the first entry.
  package enum Head {
    package static let bytes = 64
    package static let major = 8
    package static let minor = 10
    package static let kind = 12
    package static let profile = 13
    package static let dataSet = 16
    package static let dataSetBytes = 32
  }

  /// The trailer: what is known after the last entry.
  package enum Trailer {
    package static let bytes = 192
    package static let fileBytes = 0
    package static let tableOffset = 8
    package static let sectionCount = 16
    package static let tableChecksum = 20
    package static let flags = 24
    package static let rows = 32
    package static let numbers = 40
    package static let blocking = 48
    package static let identification = 56
    package static let first = 64
    package static let last = 72
    package static let blockingDigest = 80
    package static let identificationDigest = 112
    package static let labelBytes = 144
    package static let checksum = 180
    package static let endMagic = 184
  }

  /// One entry of the section table.
  package enum TableEntry {
    package static let bytes = 32
    package static let id = 0
    package static let flags = 4
    package static let offset = 8
    package static let length = 16
    package static let checksum = 24
    package static let reserved = 28
    /// Set in `flags` when a reader that does not know the id must refuse the file.
    package static let mustKnow: UInt32 = 1
  }

  /// The section of runs: how many there are, then for each of them these fields, then the bytes of labels.
  package enum Run {
    package static let headBytes = 8
    package static let bytes = 24
    package static let count = 8
    package static let flags = 12
    package static let labelBytes = 14
    package static let labelOffset = 16
    /// Set in `flags` when the numbers are in the blocking family.
    package static let flagBlocked: UInt16 = 1
    /// The most numbers of one run.
    package static let mostNumbers = Int(UInt32.max)
  }

  /// Sections begin at multiples of this.
  package static let alignment = 64
  /// More sections than any version defines: a larger count is damage.
  package static let maximumSections = 256
  /// Rows in every block but the last.
  package static let rowsPerBlock = 128
  /// Flag: numbers may repeat in the identification family (R-INC-5).
  package static let flagRepeats: UInt32 = 1
  /// Unknown flags in these bits make a reader refuse the file.
  package static let incompatibleFlags: UInt32 = 0x0000_FFFF

  /// The next multiple of `alignment`. Requires: `offset` at least 64 below the largest `Int`.
  package static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }
}

extension UnsafeRawBufferPointer {
  /// The little-endian integer at `offset`. Requires: it lies within the buffer.
  @inline(__always)
  package func little<I: FixedWidthInteger>(_ offset: Int, as type: I.Type = I.self) -> I {
    I(littleEndian: loadUnaligned(fromByteOffset: offset, as: I.self))
  }
}
