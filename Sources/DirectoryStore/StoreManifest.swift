internal import CallDirectory
internal import Digests
internal import PositionedJSON

/// The text of `store.json`: a JSON object whose last member is a checksum of everything before it, so that a flipped bit
/// is an error and never another meaning.
enum StoreManifest {
  static let schemaPrefix = "shardctl.store/"
  static let schemaVersion = 1

  /// What makes a manifest unreadable.
  enum Problem: Error {
    case newerSchema(String)
    case malformed(String)
  }

  /// The text of `contents`: the same contents give the same bytes.
  static func encode(_ contents: StoreContents) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", "\(schemaPrefix)\(schemaVersion)")
    json.member("serial", contents.serial)
    json.key("plan")
    encode(contents.plan, &json)
    json.member("release", contents.release)
    json.member("contacts", contents.contactsFile)
    json.key("order")
    if let order = contents.customOrder {
      json.beginArray(inline: true)
      for id in order.ids { json.string(id.rawValue) }
      json.endArray()
    } else {
      json.null()
    }
    json.key("providers")
    json.beginArray()
    for provider in contents.providers { encode(provider, &json) }
    json.endArray()
    json.endObject()
    var bytes = json.finish()
    while let last = bytes.last, last == 0x0A || last == 0x7D { bytes.removeLast() }
    return bytes + tail(of: bytes[...])
  }

  /// Reads such a text. `file` names it in messages.
  static func decode(_ bytes: [UInt8], file: String) throws(Problem) -> StoreContents {
    let contents: Result<StoreContents, Problem>
    do {
      let reader = try JSONObjectReader(JSONDocument(bytes, file: file).root)
      let schema = try reader.string("schema")
      guard schema == "\(schemaPrefix)\(schemaVersion)" else {
        guard schema.hasPrefix(schemaPrefix), let version = Int(schema.dropFirst(schemaPrefix.count)),
          version > schemaVersion
        else { throw Problem.malformed("its schema is \"\(schema)\", not \"\(schemaPrefix)\(schemaVersion)\"") }
        throw Problem.newerSchema(schema)
      }
      let length = tail(of: []).count
      guard bytes.count > length, bytes.suffix(length).elementsEqual(tail(of: bytes.dropLast(length))) else {
        throw Problem.malformed("its checksum does not fit: it is damaged or was changed by hand")
      }
      contents = .success(try StoreContents(reader))
    } catch let problem as Problem {
      contents = .failure(problem)
    } catch let error as JSONError {
      contents = .failure(.malformed(error.description))
    } catch {
      contents = .failure(.malformed("\(error)"))
    }
    return try contents.get()
  }

  /// The checksum member and the end of the object. Its length is constant.
  private static func tail(of body: ArraySlice<UInt8>) -> [UInt8] {
    let digits = String(body.withUnsafeBytes { CRC32C.checksum(of: $0) }, radix: 16)
    let checksum = String(repeating: "0", count: 8 - digits.utf8.count) + digits
    return Array(",\n  \"crc32c\": \"\(checksum)\"\n}\n".utf8)
  }

  private static func encode(_ plan: FrozenPlan, _ json: inout JSONWriter) {
    json.beginObject()
    json.member("name", plan.name)
    json.member("identity", plan.identity)
    json.member("title", plan.title)
    json.member("country", plan.country)
    json.member("profile", plan.profile.rawValue)
    json.key("contactsOverrideBlocks")
    if let rule = plan.contactsOverrideBlocks { json.bool(rule) } else { json.null() }
    json.endObject()
  }

  private static func encode(_ provider: StoredProvider, _ json: inout JSONWriter) {
    json.beginObject()
    json.member("id", provider.id.rawValue)
    json.member("title", provider.title)
    json.member("planned", provider.isPlanned)
    json.member("library", provider.library)
    json.member("on", provider.isOn)
    json.key("active")
    encode(provider.active, &json)
    json.key("previous")
    encode(provider.previous, &json)
    json.key("lastFailure")
    if let failure = provider.lastFailure {
      json.beginObject()
      json.member("domain", failure.error.domain)
      json.member("code", failure.error.code)
      json.member("text", failure.text)
      json.member("failedAt", failure.failedAt)
      json.endObject()
    } else {
      json.null()
    }
    json.member("quarantine", provider.quarantine.map(\.hex))
    json.endObject()
  }

  private static func encode(_ generation: StoredGeneration?, _ json: inout JSONWriter) {
    guard let generation else { return json.null() }
    json.beginObject()
    switch generation.content {
    case .empty: json.member("content", "empty")
    case .link(let path, let digest):
      json.member("content", "link")
      json.member("path", path)
      json.member("sha256", digest.hex)
    case .own(let name):
      json.member("content", "own")
      json.member("file", name)
    }
    let receipt = generation.receipt
    json.member("blocking", receipt.counts.blocking)
    json.member("identification", receipt.counts.identification)
    json.member("blockingDigest", receipt.digests.blocking.hex)
    json.member("identificationDigest", receipt.digests.identification.hex)
    json.member("plannedShard", receipt.plannedShard?.hex)
    json.member("libraryDigest", receipt.library?.hex)
    json.member("configurationDigest", receipt.configuration?.hex)
    json.member("loadedAt", receipt.loadedAt)
    json.endObject()
  }
}
