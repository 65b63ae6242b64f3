public import Digests

/// One accepted load of one provider: where its entries are, and its receipt.
public struct StoredGeneration: Hashable, Sendable {
  /// Where the entries are.
  public enum Content: Hashable, Sendable {
    /// Nowhere: an accepted load without entries is a good one.
    case empty
    /// In a published shard file that says exactly this; `path` is relative to the plan's folder or absolute.
    case link(path: String, digest: SHA256Digest)
    /// In a shard file of the store itself.
    case own(name: String)
  }

  /// Where the entries are.
  public var content: Content
  /// What was loaded.
  public var receipt: LoadReceipt

  /// A generation with the given fields.
  public init(content: Content, receipt: LoadReceipt) {
    self.content = content
    self.receipt = receipt
  }

  /// The file name in the store's folder of generations, when it has one.
  var ownFile: String? { if case .own(let name) = content { name } else { nil } }
}
