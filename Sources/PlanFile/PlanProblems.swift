internal import PositionedJSON

/// Collects the errors of one plan file, so that a user sees all of them at once.
final class PlanProblems {
  private(set) var errors: [JSONError] = []

  func add(_ error: JSONError) { errors.append(error) }

  /// The value of `body`; nil after an error, which is kept.
  func read<T>(_ body: @autoclosure () throws(JSONError) -> T?) -> T? {
    do throws(JSONError) {
      return try body()
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// The members of the object `value`; nil after an error. Keys that are not of `keys` are errors.
  func object(_ value: JSONValue, _ keys: PlanKeys) -> JSONObjectReader? {
    guard let object = read(try value.asObject()) else { return nil }
    for member in object.value.members {
      let key = member.key
      if keys.known.contains(key) || PlanKeys.everywhere.contains(key) { continue }
      if keys.later.contains(key) {
        errors.append(member.keyError("\"\(key)\" is not yet supported", hint: "remove the key"))
      } else {
        errors.append(member.unknownKeyError(known: keys.known, hint: keys.hint(for: key)))
      }
    }
    return object
  }

  /// Reports the second of two equal names.
  func refuseRepeats(_ values: [(name: String, value: JSONValue)], _ what: String) {
    var first: [String: JSONValue] = [:]
    for (name, value) in values {
      if let earlier = first[name] {
        let isSame = value.string == earlier.string
        let found = isSame ? "\(value.summary) again" : "\(value.summary), which differs only in capitals"
        add(value.error("expected each \(what) once, found \(found) (first at \(earlier.position))"))
      } else {
        first[name] = value
      }
    }
  }

  /// An array of strings that is not empty and holds nothing twice; nil after an error or without `value`.
  func strings(_ value: JSONValue?, _ what: String) -> [(text: String, value: JSONValue)]? {
    guard let value, let elements = read(try value.asArray()) else { return nil }
    guard elements.count > 0 else {
      add(value.mismatch("at least one \(what)"))
      return nil
    }
    var texts: [(text: String, value: JSONValue)] = []
    for element in elements {
      if let text = read(try element.asText()) { texts.append((text, element)) }
    }
    refuseRepeats(texts.map { ($0.text, $0.value) }, what)
    return texts.count == elements.count ? texts : nil
  }
}

extension JSONValue {
  /// A string that is not empty and holds no control character: names, titles, paths.
  func asText() throws(JSONError) -> String {
    let text = try asString()
    guard !text.isEmpty else { throw error("expected text, found an empty string") }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw mismatch("text without control characters")
    }
    return text
  }
}
