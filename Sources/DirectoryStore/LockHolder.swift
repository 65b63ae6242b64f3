public import CallDirectory

/// The process that is writing to a store.
public struct LockHolder: Hashable, Sendable {
  /// Its process id; 0 when unknown.
  public var pid: Int
  /// When it took the lock, in seconds since 1970; 0 when unknown.
  public var since: Int64
  /// What it was called as, for example `shardctl apply`.
  public var command: String
  /// The providers it is loading (R-LIFE-1); may be named after the lock is taken.
  public var loading: [ProviderID]

  /// A holder as given.
  public init(pid: Int, since: Int64, command: String, loading: [ProviderID] = []) {
    self.pid = pid
    self.since = since
    self.command = command
    self.loading = loading
  }
}

extension LockHolder {
  /// The one line in the lock file: `pid since loading command`, where loading is `-` or ids with commas.
  var line: String {
    let ids = loading.isEmpty ? "-" : loading.map(\.rawValue).joined(separator: ",")
    let command = String(command.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    return "\(pid) \(since) \(ids) \(command)"
  }

  /// Reads such a line; what cannot be read is unknown, because the holder may be in the middle of writing it.
  init(line: String) {
    let parts = line.split(separator: " ", maxSplits: 3)
    pid = parts.first.flatMap { Int($0) } ?? 0
    since = parts.count > 1 ? Int64(parts[1]) ?? 0 : 0
    loading = parts.count > 2 ? parts[2].split(separator: ",").compactMap { ProviderID(String($0)) } : []
    command = parts.count > 3 ? String(parts[3]) : ""
  }
}

extension LockHolder: CustomStringConvertible {
  /// `shardctl apply (process 4711, since 2026-01-31 12:00:00 UTC)`.
  public var description: String {
    let name = command.isEmpty ? "another process" : command
    return pid == 0 ? name : "\(name) (process \(pid), since \(UTCTime(unixSeconds: since)))"
  }
}
