internal import CallDirectory
internal import Digests
internal import PositionedJSON

extension StoreContents {
  /// Reads the members of a manifest. The checksum has been compared already, so an error here is one of ours or of a
  /// forger; it still must not trap.
  init(_ reader: JSONObjectReader) throws(JSONError) {
    try reader.refuseUnknownKeys(
      besides: ["schema", "serial", "plan", "release", "contacts", "order", "providers", "crc32c"])
    self.init(plan: try FrozenPlan(reader.object("plan")))
    serial = try reader.int("serial", in: 0...Int.max - 1)
    release = try reader.nullable("release")?.asInt(in: 0...Int.max)
    contactsFile = try reader.nullable("contacts")?.asFileName()
    for value in try reader.array("providers") {
      let provider = try StoredProvider(value.asObject())
      guard self.provider(provider.id) == nil else { throw value.error("the provider \(provider.id) occurs twice") }
      providers.append(provider)
    }
    if let value = try reader.nullable("order") {
      var ids: [ProviderID] = []
      for element in try value.asArray() { ids.append(try element.asProviderID()) }
      guard let order = SettingsOrder(ids), Set(ids) == Set(providers.map(\.id)) else {
        throw value.error("expected every provider once")
      }
      customOrder = order
    }
  }
}

extension FrozenPlan {
  fileprivate init(_ reader: JSONObjectReader) throws(JSONError) {
    try reader.refuseUnknownKeys(
      besides: ["name", "identity", "title", "country", "profile", "contactsOverrideBlocks"])
    self.init(
      name: try reader.string("name"), identity: try reader.string("identity"), title: try reader.string("title"),
      country: try reader.nullable("country")?.asString(),
      profile: try reader.choice("profile", of: PhoneProfile.Name.self),
      contactsOverrideBlocks: try reader.nullable("contactsOverrideBlocks")?.asBool())
  }
}

extension StoredProvider {
  fileprivate init(_ reader: JSONObjectReader) throws(JSONError) {
    try reader.refuseUnknownKeys(
      besides: ["id", "title", "planned", "library", "on", "active", "previous", "lastFailure", "quarantine"])
    self.init(
      id: try reader.required("id").asProviderID(), title: try reader.string("title"),
      isPlanned: try reader.bool("planned"), library: try reader.nullable("library")?.asString(),
      isOn: try reader.bool("on"))
    if let value = try reader.nullable("active") { active = try StoredGeneration(value.asObject()) }
    if let value = try reader.nullable("previous") { previous = try StoredGeneration(value.asObject()) }
    if let value = try reader.nullable("lastFailure") { lastFailure = try Failure(value.asObject()) }
    for value in try reader.array("quarantine") { quarantine.append(try value.asDigest()) }
  }
}

extension StoredProvider.Failure {
  fileprivate init(_ reader: JSONObjectReader) throws(JSONError) {
    try reader.refuseUnknownKeys(besides: ["domain", "code", "text", "failedAt"])
    self.init(
      error: PhoneError(domain: try reader.string("domain"), code: try reader.int("code")),
      text: try reader.string("text"), failedAt: Int64(try reader.int("failedAt")))
  }
}

extension StoredGeneration {
  fileprivate init(_ reader: JSONObjectReader) throws(JSONError) {
    let shared = [
      "content", "blocking", "identification", "blockingDigest", "identificationDigest", "plannedShard",
      "libraryDigest",
      "configurationDigest", "loadedAt",
    ]
    let content: Content
    switch try reader.string("content") {
    case "empty":
      try reader.refuseUnknownKeys(besides: shared)
      content = .empty
    case "link":
      try reader.refuseUnknownKeys(besides: shared + ["path", "sha256"])
      content = .link(path: try reader.string("path"), digest: try reader.required("sha256").asDigest())
    case "own":
      try reader.refuseUnknownKeys(besides: shared + ["file"])
      content = .own(name: try reader.required("file").asFileName())
    default:
      throw try reader.required("content").mismatch("\"empty\", \"link\" or \"own\"")
    }
    let counts = EntryCounts(
      blocking: try reader.int("blocking", in: 0...Int(UInt32.max)),
      identification: try reader.int("identification", in: 0...Int(UInt32.max)))
    let digests = ContentDigests(
      blocking: try reader.required("blockingDigest").asDigest(),
      identification: try reader.required("identificationDigest").asDigest())
    self.init(
      content: content,
      receipt: LoadReceipt(
        counts: counts, digests: digests, plannedShard: try reader.nullable("plannedShard")?.asDigest(),
        library: try reader.nullable("libraryDigest")?.asDigest(),
        configuration: try reader.nullable("configurationDigest")?.asDigest(),
        loadedAt: Int64(try reader.int("loadedAt"))))
  }
}

extension JSONObjectReader {
  /// A member that must be there and may be `null`, which gives nil.
  fileprivate func nullable(_ key: String) throws(JSONError) -> JSONValue? {
    let value = try required(key)
    return value.kind == .null ? nil : value
  }
}

extension JSONValue {
  fileprivate func asProviderID() throws(JSONError) -> ProviderID {
    guard let id = ProviderID(try asString()) else { throw mismatch(ProviderID.expectation) }
    return id
  }

  fileprivate func asDigest() throws(JSONError) -> SHA256Digest {
    guard let digest = SHA256Digest(hex: try asString()) else { throw mismatch("64 hexadecimal digits") }
    return digest
  }

  /// A name that cannot lead out of its folder.
  fileprivate func asFileName() throws(JSONError) -> String {
    let name = try asString()
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
    guard isPlain, !name.isEmpty, name.utf8.first != 0x2E else { throw mismatch("a plain file name") }
    return name
  }
}
