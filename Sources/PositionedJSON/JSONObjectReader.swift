internal import NameSuggestion

/// Typed access to the members of an object. Every error names file, line, column and key path.
///
/// The optional accessors return nil for a member that is absent or `null`, which is how ``JSONWriter`` writes nil; a
/// caller to whom the two differ takes the member by subscript. Each access costs O(m) for m members and allocates only
/// what it returns.
public struct JSONObjectReader: Sendable {
  /// The object.
  public let value: JSONValue

  /// A reader of `value`, which must be an object.
  public init(_ value: JSONValue) throws(JSONError) {
    guard value.kind == .object else { throw value.mismatch("an object") }
    self.value = value
  }

  /// The value of `key`; nil when the key is absent.
  public subscript(key: String) -> JSONValue? { value[key] }

  /// The value of `key`; its absence is an error at the object.
  public func required(_ key: String) throws(JSONError) -> JSONValue {
    guard let member = value[key] else {
      let keys = value.members.map(\.key)
      throw value.error(
        "expected the key \(JSONExcerpt.quoted(key)), found none",
        hint: NearestName.find(key, among: keys).map { "is \(JSONExcerpt.quoted($0)) meant to be it?" })
    }
    return member
  }

  // MARK: Required members

  /// A string.
  public func string(_ key: String) throws(JSONError) -> String { try required(key).asString() }

  /// `true` or `false`.
  public func bool(_ key: String) throws(JSONError) -> Bool { try required(key).asBool() }

  /// A whole number within `range`.
  public func int(_ key: String, in range: ClosedRange<Int> = Int.min...Int.max) throws(JSONError) -> Int {
    try required(key).asInt(in: range)
  }

  /// A number.
  public func double(_ key: String) throws(JSONError) -> Double { try required(key).asDouble() }

  /// The elements of an array.
  public func array(_ key: String) throws(JSONError) -> JSONElements { try required(key).asArray() }

  /// An array of strings.
  public func strings(_ key: String) throws(JSONError) -> [String] { try required(key).asStrings() }

  /// An object.
  public func object(_ key: String) throws(JSONError) -> JSONObjectReader { try required(key).asObject() }

  /// One of the cases of `type`, by its raw value.
  public func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type
  ) throws(JSONError) -> Choice where Choice.RawValue == String {
    try required(key).asCase(of: type)
  }

  // MARK: Optional members

  /// A string, or nil when the key is absent or `null`.
  public func optionalString(_ key: String) throws(JSONError) -> String? { try present(key)?.asString() }

  /// `true` or `false`, or nil when the key is absent or `null`.
  public func optionalBool(_ key: String) throws(JSONError) -> Bool? { try present(key)?.asBool() }

  /// A whole number within `range`, or nil when the key is absent or `null`.
  public func optionalInt(_ key: String, in range: ClosedRange<Int> = Int.min...Int.max) throws(JSONError) -> Int? {
    try present(key)?.asInt(in: range)
  }

  /// A number, or nil when the key is absent or `null`.
  public func optionalDouble(_ key: String) throws(JSONError) -> Double? { try present(key)?.asDouble() }

  /// The elements of an array, or nil when the key is absent or `null`.
  public func optionalArray(_ key: String) throws(JSONError) -> JSONElements? { try present(key)?.asArray() }

  /// An array of strings, or nil when the key is absent or `null`.
  public func optionalStrings(_ key: String) throws(JSONError) -> [String]? { try present(key)?.asStrings() }

  /// An object, or nil when the key is absent or `null`.
  public func optionalObject(_ key: String) throws(JSONError) -> JSONObjectReader? { try present(key)?.asObject() }

  /// One of the cases of `type`, by its raw value, or nil when the key is absent or `null`.
  public func optionalChoice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type
  ) throws(JSONError) -> Choice? where Choice.RawValue == String {
    try present(key)?.asCase(of: type)
  }

  private func present(_ key: String) -> JSONValue? {
    guard let member = value[key], !member.isNull else { return nil }
    return member
  }

  // MARK: Unknown members

  /// Throws at the first member that is none of `known`, with the nearest known key as the hint.
  public func refuseUnknownKeys(besides known: [String]) throws(JSONError) {
    if let error = unknownKeyErrors(besides: known).first { throw error }
  }

  /// One error for each member that is none of `known`, in the order of the text.
  public func unknownKeyErrors(besides known: [String]) -> [JSONError] {
    var errors: [JSONError] = []
    for member in value.members where !known.contains(where: member.hasKey) {
      errors.append(member.unknownKeyError(known: known))
    }
    return errors
  }
}
