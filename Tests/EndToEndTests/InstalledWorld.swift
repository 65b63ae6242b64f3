import CallDirectory
import CallLookup
import DirectoryStore
import Foundation
import PhoneNumbering
import TestSupport
import Testing

/// What the tool left of a world on the disk, read without it or through the library.
extension World {
  /// The current release's shards as `export` writes them.
  func exported() throws -> [ReferencePhone.Provider] {
    let order = try #require(manifest()["providers"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    let shards = try shards()
    return try order.map { name in
      var provider = ReferencePhone.Provider(id(name))
      let file = try #require(shards[name])
      for line in try succeed("export", file, "--format", "tsv").output.split(separator: "\n") {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let number = PhoneNumber(try #require(Int64(fields[0])))
        try #require(fields.count == 3 && ["identify", "block", "both"].contains(fields[2]), "\(line)")
        if fields[2] != "identify" { try #require(provider.blocked.insert(number).inserted, "twice: \(line)") }
        if fields[2] != "block" {
          try #require(provider.labels.updateValue([unescaped(fields[1])], forKey: number) == nil, "twice: \(line)")
        }
      }
      return provider
    }
  }

  /// The store as look-ups open it.
  func resolver() throws -> CallResolver {
    let store = DirectoryStore(folder: folder.path(".shardctl"), base: folder.path)
    let opened = try store.open(includingOff: true)
    try #require(opened.providers.allSatisfy { $0.problem == nil })
    return CallResolver(
      providers: opened.providers.map {
        InstalledProvider(id: $0.stored.id, title: $0.stored.title, state: $0.state, directory: $0.directory)
      },
      contacts: opened.contacts,
      contactRule: ContactRule(
        profile: PhoneProfile(opened.contents.plan.profile),
        contactsOverrideBlocks: opened.contents.plan.contactsOverrideBlocks))
  }
}

extension CallDecision {
  /// The part that the naive phone decides too.
  var brief: ReferencePhone.Decision {
    ReferencePhone.Decision(kind.rawValue, blockedBy: blockedBy, label: label, labelFrom: labelFrom)
  }
}

/// The candidates of a caller on a Russian line.
func candidates(_ number: Int64) -> LookupCandidates {
  CallerMatching.candidates(for: "+\(number)", region: RegionCode("RU"))
}
