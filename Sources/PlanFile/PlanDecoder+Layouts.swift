internal import CallDirectory
internal import PositionedJSON

extension PlanDecoder {
  /// The layouts that could be decoded, in the order of the text.
  func decodeLayouts(_ standards: Standards) -> [PlanLayout] {
    guard let value = root["layouts"], let object = problems.read(try value.asObject()) else { return [] }
    let members = object.value.members.filter { !PlanKeys.everywhere.contains($0.key) }
    if members.isEmpty { problems.add(value.mismatch("at least one layout")) }
    var layouts: [PlanLayout] = []
    for member in members {
      let name = member.key
      // Names are folders.
      if ProviderID(name) == nil {
        problems.add(member.keyError("expected a layout's name of \(ProviderID.expectation), found \"\(name)\""))
      }
      if let other = layouts.first(where: { $0.name.lowercased() == name.lowercased() }) {
        problems.add(
          member.keyError("expected another name, found one that differs from \"\(other.name)\" only in capitals"))
      }
      guard let layout = problems.object(member.value, .layout) else { continue }
      layouts.append(PlanLayout(name: name, providers: decodeProviders(layout, standards)))
    }
    return layouts
  }
}
