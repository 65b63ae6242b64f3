internal import CallDirectory
internal import Digests

/// The digests of a provider with packs, however they are stored.
struct PackDigests: Hashable {
  /// Of the entries.
  var contents: ContentDigests
  /// Of which entry is in which pack, whatever other packs there are.
  var division: SHA256Digest
}

/// Takes the digests of a provider with packs. Ranges are expanded for them. 48 KiB of memory.
struct PackDigester {
  private let blocking = ContentDigest()
  private let identification = ContentDigest()
  private let division = ContentDigest()
  /// By pack: what stands for it.
  private let hashes: [UInt64]

  /// A digester for packs of these names.
  init(_ names: [String]) {
    hashes = names.map { name in
      let digest = Array(name.utf8).withUnsafeBytes { SHA256.digest(of: $0) }
      return digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// Takes entries with the packs that each of them is in.
  func append(_ run: EntryRun, _ members: [PackMembers.Member]) {
    let number = run.entry.number.rawValue
    if run.entry.isBlocked { blocking.append(number, count: run.count) }
    if let label = run.entry.label { identification.append(number, count: run.count, label: label) }
    // Number by number: a range must not be told from the pieces it came in.
    for index in 0..<run.count {
      for member in members {
        // The families are part of it: an entry may be in one pack with its block and in another with its label.
        let families: UInt64 = (member.isBlocked ? 1 : 0) | (member.isIdentified ? 2 : 0)
        division.append(number + Int64(index))
        division.append(Int64(bitPattern: hashes[Int(member.pack)] & ~3 | families))
      }
    }
  }

  /// The digests of the entries taken.
  func finish() -> PackDigests {
    PackDigests(
      contents: ContentDigests(blocking: blocking.finish(), identification: identification.finish()),
      division: division.finish())
  }
}
