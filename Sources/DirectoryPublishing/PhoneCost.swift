public import CallDirectory
internal import PositionedJSON

/// What a release costs a phone that takes it, by provider and in all.
public struct PhoneCost: Hashable, Sendable {
  /// What one provider costs.
  public struct Provider: Hashable, Sendable {
    /// The provider.
    public var id: ProviderID
    /// Bytes of the shard: exact once it is written, before that an estimate.
    public var downloadBytes: Int
    /// About how many bytes the changes since the base release are: their share of the shard, and the numbers that went. All of it
    /// for a provider that is new; nil without a base, and where its shard cannot be read.
    public var updateBytes: Int?
    /// Bytes on the phone's disk while it switches: the old shard and the new one, where they differ.
    public var diskPeakBytes: Int
    /// How long a full load takes, by `LoadTime`.
    public var loadSeconds: Double
    /// How long it takes to load the changes alone; nil as for `updateBytes`.
    public var incrementalSeconds: Double?
    /// How it differs from the base release; nil without one, for a new provider, and where its shard cannot be read.
    public var changes: EntryChanges?

    /// The cost of `entries` in a shard of `bytes`. `before`: bytes of the shard in the base release, nil when it has none.
    init(
      _ id: ProviderID, entries: Int, bytes: Int, changes: EntryChanges?, hasBase: Bool, before: Int?, isChanged: Bool
    ) {
      self.id = id
      self.changes = changes
      downloadBytes = bytes
      diskPeakBytes = bytes + (isChanged ? before ?? 0 : 0)
      loadSeconds = LoadTime.seconds(entries: entries)
      guard hasBase else { return }
      if !isChanged {
        updateBytes = 0
        incrementalSeconds = 0
      } else if let changes {
        updateBytes = Self.updateBytes(changes, entries: entries, bytes: bytes)
        incrementalSeconds = LoadTime.seconds(entries: changes.steps)
      } else if before == nil {
        updateBytes = bytes
        incrementalSeconds = loadSeconds
      }
    }

    /// What a removed number takes: its distance to the one before.
    private static let bytesPerRemoval = 4
    /// Head and digests.
    private static let overhead = 256

    private static func updateBytes(_ changes: EntryChanges, entries: Int, bytes: Int) -> Int {
      let share = Double(changes.added + changes.relabelled) / Double(max(entries, 1))
      let estimate = Int(share * Double(bytes)) + changes.removed * bytesPerRemoval + overhead
      return min(estimate, bytes)
    }
  }

  /// By provider, in plan order.
  public var providers: [Provider]
  /// Bytes of the shards of providers that only the base release has: they lie on the disk until it is left.
  public var goneBytes: Int
  /// Whether there is a base release, so that phones have something to update.
  public var hasBase: Bool

  /// Bytes of all downloads.
  public var downloadBytes: Int { providers.reduce(0) { $0 + $1.downloadBytes } }
  /// Bytes of all updates; nil where that of a provider is not known.
  public var updateBytes: Int? { sum(\.updateBytes) }
  /// Bytes on the disk while all switch together.
  public var diskPeakBytes: Int { providers.reduce(goneBytes) { $0 + $1.diskPeakBytes } }
  /// How long all full loads take, one after the other.
  public var loadSeconds: Double { providers.reduce(0) { $0 + $1.loadSeconds } }
  /// How long all incremental loads take, one after the other; nil where that of a provider is not known.
  public var incrementalSeconds: Double? { sum(\.incrementalSeconds) }

  private func sum<Value: AdditiveArithmetic>(_ path: KeyPath<Provider, Value?>) -> Value? {
    guard hasBase else { return nil }
    var sum = Value.zero
    for provider in providers {
      guard let value = provider[keyPath: path] else { return nil }
      sum += value
    }
    return sum
  }

  /// Writes it as one object. Updates are estimates; so are downloads and disk where `bytesAreEstimates`.
  func write(to json: inout JSONWriter, bytesAreEstimates: Bool) {
    json.beginObject()
    json.member("bytesAreEstimates", bytesAreEstimates)
    json.member("updatesAreEstimates", true)
    json.key("providers")
    json.beginArray()
    for provider in providers {
      json.beginObject(inline: true)
      json.member("id", provider.id.rawValue)
      write(
        to: &json, provider.downloadBytes, provider.updateBytes, provider.diskPeakBytes, provider.loadSeconds,
        provider.incrementalSeconds)
      json.key("changes")
      if let changes = provider.changes {
        json.beginObject(inline: true)
        json.member("added", changes.added)
        json.member("removed", changes.removed)
        json.member("relabelled", changes.relabelled)
        json.endObject()
      } else {
        json.null()
      }
      json.endObject()
    }
    json.endArray()
    json.key("totals")
    json.beginObject(inline: true)
    write(to: &json, downloadBytes, updateBytes, diskPeakBytes, loadSeconds, incrementalSeconds)
    json.endObject()
    json.endObject()
  }

  private func write(
    to json: inout JSONWriter, _ download: Int, _ update: Int?, _ disk: Int, _ load: Double, _ incremental: Double?
  ) {
    json.member("downloadBytes", download)
    json.member("updateBytes", update)
    json.member("diskPeakBytes", disk)
    json.member("loadSeconds", load, places: 1)
    json.key("incrementalSeconds")
    if let incremental { json.double(incremental, places: 1) } else { json.null() }
  }
}
