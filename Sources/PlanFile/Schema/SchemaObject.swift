/// The schema of one kind of object in a plan: each key of `PlanKeys` with what it means and takes.
struct SchemaObject {
  /// A key, what it means in one line, what it takes, and what it is when it is absent.
  struct Property {
    let key: String
    let meaning: String
    let shape: SchemaNode
    let standard: SchemaNode?

    init(_ key: String, _ meaning: String, _ shape: SchemaNode, standard: SchemaNode? = nil) {
      self.key = key
      self.meaning = meaning
      self.shape = shape
      self.standard = standard
    }

    var node: SchemaNode {
      SchemaNode.object([("description", .text(meaning))])
        .adding(shape.members)
        .adding(standard.map { [("default", $0)] } ?? [])
    }
  }

  /// The same object in the decoder.
  let keys: PlanKeys
  /// One property for each known key, in its order.
  let properties: [Property]
  /// Keys that must be there.
  var required: [String] = []
  /// What holds between keys.
  var rules: [SchemaNode] = []

  var node: SchemaNode {
    let everywhere = PlanKeys.everywhere.map { key in (key: key, value: SchemaNode.bool(true)) }
    var members: [(key: String, value: SchemaNode)] = [
      ("type", "object"),
      ("properties", .object(properties.map { ($0.key, $0.node) } + everywhere)),
      ("additionalProperties", false),
    ]
    if !required.isEmpty { members.append(("required", .texts(required))) }
    if !rules.isEmpty { members.append(("allOf", .list(rules))) }
    return .object(members)
  }
}

extension SchemaNode {
  /// The members of an object; none of any other value.
  var members: [(key: String, value: SchemaNode)] {
    if case .object(let members) = self { members } else { [] }
  }
}
