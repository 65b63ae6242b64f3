internal import CCallDirectory

/// What the plan says about this provider; a copy, to be kept as long as wanted.
public struct ProviderConfiguration: Hashable, Sendable {
  /// Its id in the plan.
  public var providerID: String
  /// Its title in the plan.
  public var title: String
  /// Absolute path of its own writable folder.
  public var containerPath: String
  /// Absolute path of its shard, or of the index of its packs, which lie in the same folder; empty for a provider with data of
  /// its own.
  public var shardPath: String
  /// The plan's `options` object verbatim, `{}` when there is none.
  public var optionsJSON: String

  /// A configuration of the given values, for tests of a provider.
  public init(
    providerID: String, title: String = "", containerPath: String = "", shardPath: String = "",
    optionsJSON: String = "{}"
  ) {
    self.providerID = providerID
    self.title = title
    self.containerPath = containerPath
    self.shardPath = shardPath
    self.optionsJSON = optionsJSON
  }

  init(_ table: UnsafePointer<calldir_configuration>) {
    // All fields belong to minor 0, so every host's table has them.
    providerID = Self.text(table.pointee.provider_id)
    title = Self.text(table.pointee.title)
    containerPath = Self.text(table.pointee.container_path)
    shardPath = Self.text(table.pointee.shard_path)
    optionsJSON = Self.text(table.pointee.options_json)
  }

  private static func text(_ text: calldir_string) -> String {
    guard let bytes = text.bytes else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: text.length), as: UTF8.self)
  }
}
