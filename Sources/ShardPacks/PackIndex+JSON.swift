internal import CallDirectory
internal import Digests
public import PositionedJSON
internal import SystemSupport

extension PackIndex {
  /// The `schema` of index files.
  public static let schema = "shardctl.packs/1"
  /// The largest index that is read, in bytes.
  static let maximumBytes = 16 << 20
  /// The most of anything that an index counts.
  private static let mostCounted = 1 << 53

  /// The bytes of the index file.
  public func encoded() -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", Self.schema)
    writeMembers(to: &json)
    json.endObject()
    return json.take()
  }

  /// Writes all but the schema as members of the open object.
  public func writeMembers(to json: inout JSONWriter) {
    json.member("provider", provider.rawValue)
    json.member("limit", limit)
    json.member("withoutArea", withoutArea)
    json.key("sets")
    json.beginArray()
    for set in sets {
      json.beginObject(inline: true)
      set.writeMembers(to: &json)
      json.endObject()
    }
    json.endArray()
    json.key("packs")
    json.beginArray()
    for pack in packs {
      json.beginObject(inline: true)
      json.member("name", pack.name)
      json.member("file", pack.file)
      json.member("sha256", pack.sha256.hex)
      json.member("bytes", pack.bytes)
      json.member("blocking", pack.counts.blocking)
      json.member("identification", pack.counts.identification)
      json.endObject()
    }
    json.endArray()
  }

  /// Reads the index file at `path`. Throws `PackError`.
  public init(_ path: String) throws(PackError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.read(path, limit: Self.maximumBytes)
    } catch {
      throw PackError(.missing, path, error.finding, hint: "build the release again or fetch the file again")
    }
    do throws(JSONError) {
      let root = try JSONDocument(bytes, file: path).root.asObject()
      let schema = try root.string("schema")
      guard schema == Self.schema else {
        throw try root.required("schema").error("expected \"\(Self.schema)\", found \"\(schema)\"")
      }
      try self.init(root)
    } catch {
      throw PackError(
        .damaged, "\(path):\(error.line):\(error.column)",
        "this is no index of packs: \(error.keyPath.isEmpty ? "" : "\(error.keyPath): ")\(error.message)",
        hint: "build the release again or fetch the file again; an index of a newer version needs a newer reader")
    }
  }

  /// Reads the members that `writeMembers` writes; unknown ones are let pass, a later version may add some.
  public init(_ object: JSONObjectReader) throws(JSONError) {
    guard let provider = ProviderID(try object.string("provider")) else {
      throw try object.required("provider").mismatch(ProviderID.expectation)
    }
    self.provider = provider
    limit = try object.int("limit", in: 1...EntryLimit.maximum)
    withoutArea = try object.string("withoutArea")
    packs = []
    for element in try object.array("packs") {
      let pack = try Pack(element.asObject())
      if let last = packs.last, !last.name.utf8.lexicographicallyPrecedes(pack.name.utf8) {
        throw element.error(
          "expected packs in ascending order of their names, found \"\(pack.name)\" after \"\(last.name)\"")
      }
      packs.append(pack)
    }
    let known = packs.map(\.name)
    guard known.contains(withoutArea), known.count <= Self.mostPacks else {
      throw try object.required("packs").error(
        known.contains(withoutArea)
          ? "expected at most \(Self.mostPacks) packs, found \(known.count)"
          : "expected the pack \"\(withoutArea)\" of rows without an area, found none")
    }
    sets = []
    let list = try object.array("sets")
    guard (1...Self.mostSets).contains(list.count) else {
      throw try object.required("sets").error("expected 1 to \(Self.mostSets) sets, found \(list.count)")
    }
    for element in list {
      let set = try element.asObject()
      let names = try set.optionalStrings("packs")
      if let unknown = names?.first(where: { !known.contains($0) }) {
        throw element.error("expected names of packs, found \"\(unknown)\"")
      }
      sets.append(Set(packs: names, counts: try Self.counts(set)))
    }
  }

  fileprivate static func counts(_ object: JSONObjectReader) throws(JSONError) -> EntryCounts {
    EntryCounts(
      blocking: try object.int("blocking", in: 0...mostCounted),
      identification: try object.int("identification", in: 0...mostCounted))
  }
}

extension PackIndex.Pack {
  init(_ object: JSONObjectReader) throws(JSONError) {
    name = try object.string("name")
    file = try object.string("file")
    guard !file.isEmpty, !file.utf8.contains(0x2F), !file.hasPrefix(".") else {
      throw try object.required("file").error("expected the name of a file in the index's folder, found \"\(file)\"")
    }
    let text = try object.string("sha256")
    guard let digest = SHA256Digest(hex: text) else {
      throw try object.required("sha256").mismatch("a SHA-256 digest of 64 hexadecimal digits")
    }
    sha256 = digest
    bytes = try object.int("bytes", in: 0...Int.max)
    counts = try PackIndex.counts(object)
  }
}

extension PackIndex.Set {
  /// Writes the packs, null for all, and the entries of both families as members of the open object.
  public func writeMembers(to json: inout JSONWriter) {
    json.key("packs")
    if let packs {
      json.beginArray(inline: true)
      for pack in packs { json.string(pack) }
      json.endArray()
    } else {
      json.null()
    }
    json.member("blocking", counts.blocking)
    json.member("identification", counts.identification)
  }
}
