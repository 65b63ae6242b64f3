internal import CallDirectory
internal import PhoneNumbering
internal import PositionedJSON
internal import ShardPlanning

extension PlanDecoder {
  /// The claim of a provider; nil without one.
  func decodeClaim(_ object: JSONObjectReader, sourceIDs: [String]) -> Claim? {
    let all = decodeClause(object, sourceIDs: sourceIDs)
    var anyOf: [ClaimClause] = []
    if let list = object["anyOf"], let elements = problems.read(try list.asArray()) {
      if elements.count == 0 { problems.add(list.mismatch("at least one alternative")) }
      for element in elements {
        guard let clause = problems.object(element, .clause) else { continue }
        if !PlanKeys.claim.contains(where: { clause[$0] != nil }) {
          problems.add(element.mismatch("at least one of \(JSONValue.list(PlanKeys.claim))"))
        }
        anyOf.append(decodeClause(clause, sourceIDs: sourceIDs))
      }
    }
    if let rest = object["rest"] {
      if problems.read(try rest.asBool()) == false {
        problems.add(rest.mismatch("true", hint: "remove \"rest\""))
      }
      for key in PlanKeys.claim + ["anyOf"] where object[key] != nil {
        problems.add(
          rest.error(
            "expected no other claim beside \"rest\", found \"\(key)\"",
            hint: "\"rest\" claims what no other provider claims; remove one of the two"))
      }
      return .rest
    }
    return PlanDecoder.claims(object) ? .matching(all: all, anyOf: anyOf) : nil
  }

  private func decodeClause(_ object: JSONObjectReader, sourceIDs: [String]) -> ClaimClause {
    ClaimClause(
      areas: problems.strings(object["areas"], "area")?.map(\.text),
      prefixes: problems.strings(object["prefixes"], "prefix")?.compactMap(prefix),
      countries: problems.strings(object["countries"], "country")?.compactMap { region($0.value) },
      sources: problems.strings(object["sources"], "source")?.compactMap { source($0, sourceIDs) },
      actions: problems.strings(object["actions"], "action")?.compactMap(action),
      ranges: problems.strings(object["ranges"], "range")?.compactMap(range))
  }

  private typealias Item = (text: String, value: JSONValue)

  /// The digits of `+7495`.
  private func prefix(_ item: Item) -> String? {
    if let digits = PlanDecoder.digits(item.text[...]) { return digits }
    let isBare = PlanDecoder.digits("+\(item.text)") != nil
    problems.add(
      item.value.mismatch(
        "'+' and 1 to \(PhoneNumber.maximumDigits) digits that begin with a country calling code",
        hint: isBare ? "write \"+\(item.text)\"" : nil))
    return nil
  }

  private func source(_ item: Item, _ ids: [String]) -> String? {
    if ids.contains(item.text) { return item.text }
    problems.add(
      item.value.mismatch(
        "the id of a source", hint: JSONValue.suggestion(for: item.text, among: ids) ?? known(ids)))
    return nil
  }

  private func action(_ item: Item) -> EntryAction? {
    guard let action = problems.read(try item.value.asCase(of: EntryAction.self)) else { return nil }
    if action.families.isEmpty {
      problems.add(item.value.mismatch("an action that adds entries: \"identify\", \"block\" or \"both\""))
      return nil
    }
    return action
  }

  /// Both ends of `+74950000000-+74959999999`. They may differ in length, as where a cut goes through many countries, but
  /// an end too short for a number is a prefix by mistake.
  private func range(_ item: Item) -> ClosedRange<PhoneNumber>? {
    let ends = item.text.split(separator: "-", omittingEmptySubsequences: false).map { PlanDecoder.digits($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], let lower = Int64(first), let upper = Int64(last)
    else {
      problems.add(item.value.mismatch("a range such as \"+74950000000-+74959999999\""))
      return nil
    }
    guard min(first.utf8.count, last.utf8.count) >= 7 else {
      problems.add(item.value.mismatch("a range whose ends are whole numbers of 7 to 15 digits"))
      return nil
    }
    guard lower <= upper else {
      problems.add(item.value.mismatch("a range whose first number is not above its last"))
      return nil
    }
    return PhoneNumber(lower)...PhoneNumber(upper)
  }

  /// What follows the `+`, if it is 1 to 15 digits without a leading zero.
  private static func digits(_ text: Substring) -> String? {
    let digits = text.dropFirst()
    guard text.first == "+", (1...PhoneNumber.maximumDigits).contains(digits.utf8.count), digits.first != "0",
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return String(digits)
  }
}
