internal import CallDirectory
internal import DirectorySources
internal import PhoneNumbering
internal import PositionedJSON
internal import ShardPlanning

/// Turns the document of a plan file into a ``Plan``, going on after an error so that all of them are reported.
///
/// One extension per part of the plan: sources, providers, claims, and the rules that hold between them.
struct PlanDecoder {
  let root: JSONObjectReader
  let problems = PlanProblems()

  init(_ root: JSONObjectReader) { self.root = root }

  /// The plan; nil when a required part is missing. Whether it holds is for `problems` to say.
  func decode(bytes: [UInt8], file: String?, document: JSONDocument) -> Plan? {
    guard let root = problems.object(self.root.value, .plan) else { return nil }
    let country = region(root["country"])
    let maxPatternNumbers = decodeMaxPatternNumbers(root["maxPatternNumbers"])
    let sources = decodeSources(country: country, maxPatternNumbers: maxPatternNumbers)
    if maxPatternNumbers != nil { checkPatternLimit() }
    let standards = decodeStandards()
    let providers = decodeProviders(root, standards)
    let layouts = decodeLayouts(standards)
    return Plan(
      file: file, bytes: bytes,
      name: problems.read(try root.required("name").asText()) ?? "",
      title: problems.read(try root["title"]?.asText()),
      country: country,
      sources: sources.map(\.description),
      guards: guards(sources),
      providers: providers,
      layouts: layouts,
      overlaps: problems.read(try root["overlaps"]?.asCase(of: OverlapRule.self)) ?? .collapse,
      unclaimed: problems.read(try root["unclaimed"]?.asCase(of: UnclaimedRule.self)) ?? .error,
      phone: decodePhone(root["phone"], country: country),
      paths: decodePaths(root["paths"]),
      profile: problems.read(try root["profile"]?.asCase(of: ReleaseProfile.self)) ?? .plain,
      keepReleases: problems.read(try root["keepReleases"]?.asInt(in: 1...1000)) ?? 3,
      document: document)
  }

  private func guards(_ sources: [DecodedSource]) -> [String: SourceGuard] {
    var guards: [String: SourceGuard] = [:]
    for source in sources where source.limits != nil { guards[source.description.id] = source.limits }
    return guards
  }

  private func decodePhone(_ value: JSONValue?, country: RegionCode?) -> PlanPhone {
    var phone = PlanPhone(profile: PhoneProfile(.ios18), country: country, contacts: nil)
    guard let value, let object = problems.object(value, .phone) else { return phone }
    if let name = problems.read(try object["profile"]?.asCase(of: PhoneProfile.Name.self)) {
      phone.profile = PhoneProfile(name)
    }
    if let own = region(object["country"]) { phone.country = own }
    phone.contacts = problems.read(try object["contacts"]?.asText())
    // A plan may lower the profile's ceiling, never raise it: the phone would not either (R-MEM-1).
    let ceiling = phone.profile.memoryLimit
    phone.profile.memoryLimit = problems.read(try object["memoryLimit"]?.asInt(in: 1...ceiling)) ?? ceiling
    if let override = problems.read(try object["contactsOverrideBlocks"]?.asBool()) {
      phone.profile.contactsOverrideBlocks = override
    }
    return phone
  }

  private func decodePaths(_ value: JSONValue?) -> PlanPaths {
    var paths = PlanPaths()
    guard let value, let object = problems.object(value, .paths) else { return paths }
    paths.plugins = problems.read(try object["plugins"]?.asText()) ?? paths.plugins
    paths.shards = problems.read(try object["shards"]?.asText()) ?? paths.shards
    paths.store = problems.read(try object["store"]?.asText()) ?? paths.store
    if Set([paths.plugins, paths.shards, paths.store]).count < 3 {
      problems.add(
        value.error(
          "expected three different folders, found one twice: \(paths.plugins), \(paths.shards), \(paths.store)"))
    }
    return paths
  }

  /// A region of `value`; nil without one and after an error.
  func region(_ value: JSONValue?) -> RegionCode? {
    guard let value, let text = problems.read(try value.asString()) else { return nil }
    guard let region = RegionCode(text), region.rawValue == text else {
      let isCode = text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      var hint = RegionCode(text).map { "write \"\($0.rawValue)\"" }
      if text.uppercased() == "UK" { hint = "write \"GB\"" }
      problems.add(
        value.mismatch(
          isCode ? "the code of a country with a numbering plan" : "a country code of two capital letters",
          hint: hint ?? "for example \"RU\""))
      return nil
    }
    return region
  }

  /// An id of `value`; nil after an error.
  func id(_ value: JSONValue?) -> ProviderID? {
    guard let value, let text = problems.read(try value.asString()) else { return nil }
    guard let id = ProviderID(text) else {
      problems.add(value.mismatch("an id of \(ProviderID.expectation)"))
      return nil
    }
    return id
  }

  /// The ids that stand in a list, also of entries that have errors, so that one mistake is reported once.
  func declaredIDs(_ list: String) -> [String] {
    root[list]?.elements.compactMap { $0["id"]?.string } ?? []
  }
}
