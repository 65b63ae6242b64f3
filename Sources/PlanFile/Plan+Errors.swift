public import CallDirectory
public import PositionedJSON

extension Plan {
  /// An error at a key of a source: for what only the data shows, such as a column that is not there.
  ///
  /// Falls back to the source and then to the file's beginning when the key is not written in the plan.
  public func error(source id: String, key: String? = nil, _ message: String, hint: String? = nil) -> JSONError {
    locate("sources", id: id, key: key, naming: nil).error(message, hint: hint)
  }

  /// An error at a key of a provider: for what only the data shows, such as an area that no row has.
  ///
  /// - Parameters:
  ///   - id: The provider.
  ///   - key: A key of the provider, or of one of the clauses of its `anyOf`.
  ///   - text: The element of the key's array that is meant.
  public func error(
    provider id: ProviderID, key: String? = nil, naming text: String? = nil, _ message: String, hint: String? = nil
  ) -> JSONError {
    locate("providers", id: id.rawValue, key: key, naming: text).error(message, hint: hint)
  }

  private func locate(_ list: String, id: String, key: String?, naming text: String?) -> JSONValue {
    let root = document.root
    let holder = list == "providers" ? layout.flatMap { root["layouts"]?[$0] } ?? root : root
    guard let item = holder[list]?.elements.first(where: { $0["id"]?.string == id }) else { return root }
    guard let key else { return item }
    let candidates = [item[key]].compactMap { $0 } + (item["anyOf"]?.elements.compactMap { $0[key] } ?? [])
    if let text {
      for candidate in candidates {
        let elements = candidate.elements + candidate.elements.flatMap { Array($0.elements) }
        if let element = elements.first(where: { $0.string == text }) { return element }
      }
    }
    return candidates.first ?? item
  }
}
