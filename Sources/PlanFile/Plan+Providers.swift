public import CallDirectory
internal import PositionedJSON

extension Plan {
  /// A provider with data of its own, as it stands in the plan.
  public struct OwnDataProvider: Sendable {
    /// Its id.
    public var id: ProviderID
    /// Its JSON object, verbatim.
    public var json: [UInt8]
    /// Whether it stands before every provider that the planner fills.
    public var isFirst: Bool
  }

  /// The providers that the planner leaves alone, in plan order.
  public var ownDataProviders: [OwnDataProvider] {
    let elements = document.root["providers"].map { Array($0.elements) } ?? []
    guard elements.count == providers.count else { return [] }
    let planned = providers.firstIndex(where: \.isPlanned) ?? providers.count
    return zip(providers, elements).enumerated().compactMap { index, pair in
      pair.0.isPlanned
        ? nil : OwnDataProvider(id: pair.0.id, json: Array(pair.1.verbatimBytes), isFirst: index < planned)
    }
  }

  /// The same plan with other providers: decoded anew from its text, in which `array`, the JSON of an array, stands in the place
  /// of the plan's own. Paths are as written in the file.
  ///
  /// - Throws: as `init(bytes:file:)`.
  public func replacingProviders(with array: [UInt8]) throws(PlanError) -> Plan {
    guard let range = document.root["providers"]?.byteRange else { return try Plan(bytes: bytes, file: file) }
    return try Plan(bytes: Array(bytes[..<range.lowerBound]) + array + bytes[range.upperBound...], file: file)
  }
}
