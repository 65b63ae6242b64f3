public import CallDirectory
internal import ShardFormat
internal import SystemSupport

/// A store opened for look-ups: one committed state with its directories mapped. It stays what it was, whatever writers do
/// afterwards.
public struct OpenedStore: Sendable {
  /// What the manifest says.
  public let contents: StoreContents
  /// The providers in the settings order in force.
  public let providers: [OpenedProvider]
  /// The phone's contacts: numbers of its identification family with their names; nil when there are none.
  public let contacts: (any DirectoryReading)?
  /// Who was writing when the store was opened, or nil. What is here is the state before that.
  public let writer: LockHolder?

  /// The state to show for `provider`: `loading` while the writer loads it (R-LIFE-1).
  public func shownState(of provider: OpenedProvider) -> ProviderState {
    writer?.loading.contains(provider.stored.id) == true ? .loading : provider.state
  }
}

/// One provider of an opened store.
public struct OpenedProvider: Sendable {
  /// What the manifest says about it.
  public let stored: StoredProvider
  /// `off-empty`, `off-with-data`, `on` or `unavailable` (R-LIFE-1).
  public let state: ProviderState
  /// Why it is unavailable, naming the file; else nil.
  public let problem: String?
  /// Its entries, when it has some and they were opened.
  public let directory: (any DirectoryReading)?
}

extension DirectoryStore {
  /// Opens the store for look-ups: one small file is read and each shard that is on is mapped, in constant time.
  ///
  /// A provider whose library or shard is missing, damaged or not what was installed is `unavailable` and hides nothing else.
  ///
  /// - Parameter includingOff: Also opens what providers that are off have stored, for `status` and to show in a trace
  ///   what is missing because they are off.
  /// - Throws: What `read` throws.
  public func open(includingOff: Bool = false) throws(StoreError) -> OpenedStore {
    var contents = try read()
    // A writer may remove a file between our reading the manifest and our opening the file. Its manifest is in force then:
    // look again as long as there is a newer one. The bound only guards against a store that never comes to rest.
    for _ in 0..<100 {
      let providers = contents.providersInOrder.map { open($0, includingOff: includingOff) }
      let contacts = openContacts(contents)
      let isWhole = providers.allSatisfy { $0.problem == nil } && (contacts != nil || contents.contactsFile == nil)
      if !isWhole {
        let newer = try read()
        if newer.serial != contents.serial {
          contents = newer
          continue
        }
        if let file = contents.contactsFile, contacts == nil {
          throw StoreError(
            .inputOutput, file: Path.join(generationsFolder, file), what: "the phone's contacts cannot be read",
            hint: "`shardctl apply` writes them again")
        }
      }
      return OpenedStore(contents: contents, providers: providers, contacts: contacts, writer: lockHolder())
    }
    throw StoreError(
      .inputOutput, file: manifestPath, what: "the store changed 100 times while it was opened", hint: "try again")
  }

  private func open(_ provider: StoredProvider, includingOff: Bool) -> OpenedProvider {
    if !hasLibrary(provider) {
      let library = provider.library ?? ""
      let places = libraryFolders.map { $0.joined(separator: ", ") } ?? ""
      let problem =
        library.utf8.contains(0x2F)
        ? "there is no library \(Path.join(base, library))" : "there is no library \(library) in \(places)"
      return OpenedProvider(stored: provider, state: .unavailable, problem: problem, directory: nil)
    }
    let state = provider.storedState
    guard provider.isOn || includingOff, let active = provider.active, let path = path(of: active) else {
      return OpenedProvider(stored: provider, state: state, problem: nil, directory: nil)
    }
    do {
      let shard = try Shard(path)
      guard shard.counts == active.receipt.counts, shard.contentDigests == active.receipt.digests else {
        return OpenedProvider(
          stored: provider, state: .unavailable, problem: "\(path): this is not the shard that was installed",
          directory: nil)
      }
      return OpenedProvider(stored: provider, state: state, problem: nil, directory: shard)
    } catch {
      return OpenedProvider(stored: provider, state: .unavailable, problem: "\(error)", directory: nil)
    }
  }

  private func openContacts(_ contents: StoreContents) -> Shard? {
    contents.contactsFile.flatMap { try? Shard(Path.join(generationsFolder, $0)) }
  }
}
