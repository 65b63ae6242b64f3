public import CallDirectory
internal import NameSuggestion

/// The packs of a provider are not as the plan wants them. Nothing was published.
public struct PackRuleError: Error, Hashable, Sendable {
  /// The provider.
  public var provider: ProviderID
  /// The key of the provider that this is about.
  public var key: String
  /// The element of the key that is meant; nil for all of it.
  public var value: String?
  /// What is wrong.
  public var what: String
  /// What to do about it.
  public var hint: String
  /// Where the key stands, as `plan.json:7:3`; empty where that is not known.
  public var place = ""
  /// The key with the way to it.
  public var keyPath = ""

  /// A set names a pack that is not there.
  static func unknown(_ name: String, _ provider: ProviderID, _ packs: [String]) -> PackRuleError {
    let nearest = NearestName.find(name, among: packs).map { "did you mean \"\($0)\"? " } ?? ""
    return PackRuleError(
      provider: provider, key: "packSets", value: name, what: "\(provider) has no entries in a pack \"\(name)\"",
      hint: "\(nearest)\"mayBeEmpty\": true accepts it")
  }
}

extension PackRuleError: CustomStringConvertible {
  /// `plan.json:7:3: providers[0].packSets: …`, as far as the place is known.
  public var description: String {
    [place, keyPath.isEmpty ? "\(provider): \(key)" : keyPath, what].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
