internal import CallDirectory
internal import Digests
public import PositionedJSON
internal import ShardPlanning

/// The most of anything that a manifest counts, in all sources together: what every reader of JSON takes as a whole
/// number, and far below the machine's integers.
private let mostCounted = 1 << 53

/// The most copies that a group of a manifest has.
private let mostCopies = 1 << 16

extension ReleaseManifest {
  /// The `schema` of manifest files.
  public static let schema = "shardctl.release/1"

  /// The bytes of the manifest file.
  public func encoded() -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", Self.schema)
    json.member("release", release)
    json.member("base", base)
    json.member("restores", restores)
    if places != .base { json.member("places", places.rawValue) }
    json.key("plan")
    json.beginObject(inline: true)
    json.member("name", planName)
    json.member("sha256", planDigest.hex)
    json.endObject()
    Self.writeSplit(providers, groups, overlaps, accounts, to: &json)
    if !layouts.isEmpty {
      json.key("layouts")
      json.beginArray()
      for layout in layouts { layout.write(to: &json) }
      json.endArray()
    }
    json.endObject()
    return json.take()
  }

  /// Writes a split of the rows over providers as members of the open object.
  static func writeSplit(
    _ providers: [Provider], _ groups: [Group], _ overlaps: [PlacementReport.Overlap], _ accounts: ReleaseAccounts,
    to json: inout JSONWriter
  ) {
    json.key("providers")
    json.beginArray()
    for provider in providers {
      json.beginObject()
      json.member("id", provider.id.rawValue)
      json.member("title", provider.title)
      json.member("file", provider.file)
      json.member("sha256", provider.sha256.hex)
      json.member("bytes", provider.bytes)
      json.member("blocking", provider.counts.blocking)
      json.member("identification", provider.counts.identification)
      json.member("limit", provider.limit)
      json.member("fill", provider.fill, places: 4)
      json.member("first", provider.numbers.map { Int($0.lowerBound.rawValue) })
      json.member("last", provider.numbers.map { Int($0.upperBound.rawValue) })
      json.member("blockingDigest", provider.contentDigests.blocking.hex)
      json.member("identificationDigest", provider.contentDigests.identification.hex)
      if let packs = provider.packs {
        json.key("packs")
        packs.write(to: &json)
      }
      json.endObject()
    }
    json.endArray()
    json.key("groups")
    json.beginArray()
    for group in groups {
      json.beginObject(inline: true)
      json.member("id", group.id.rawValue)
      json.member("copies", group.copies.copies)
      json.key("cuts")
      json.beginArray()
      for cut in group.copies.cuts { json.int(cut.rawValue) }
      json.endArray()
      if group.copies.isByScore { json.member("fillBy", FillRule.score.rawValue) }
      json.endObject()
    }
    json.endArray()
    json.key("overlaps")
    json.write(overlaps)
    json.key("accounts")
    json.write(accounts)
  }

  /// The bytes of the manifest file, read again and found to say the same: what cannot be read would stop every later
  /// run (B-114). Throws `ManifestDefect`.
  func verifiedBytes() throws(ManifestDefect) -> [UInt8] {
    let bytes = encoded()
    let found: ReleaseManifest
    do throws(JSONError) {
      found = try ReleaseManifest(json: bytes, file: "manifest.json")
    } catch {
      throw ManifestDefect(what: error.description)
    }
    guard found == self else { throw ManifestDefect(what: "manifest.json: read again, it says something else") }
    return bytes
  }

  /// Reads a manifest. Unknown keys are let pass: a later version may add some.
  public init(json bytes: [UInt8], file: String) throws(JSONError) {
    let root = try JSONDocument(bytes, file: file).root.asObject()
    let schema = try root.string("schema")
    guard schema == Self.schema else {
      throw try root.required("schema").error(
        "expected \"\(Self.schema)\", found \"\(schema)\"", hint: "this file was written by another version of shardctl"
      )
    }
    release = try root.int("release", in: Self.releaseNumbers)
    base = try root.optionalInt("base", in: Self.releaseNumbers)
    restores = try root.optionalInt("restores", in: Self.releaseNumbers)
    if let text = root["places"] { places = try text.asCase(of: Places.self) }
    let plan = try root.object("plan")
    planName = try plan.string("name")
    planDigest = try plan.digest("sha256")
    (providers, groups, overlaps, accounts) = try Self.split(root)
    // Releases from before there were layouts have none.
    if let list = try root.optionalArray("layouts") {
      for element in list { layouts.append(try Layout(element.asObject())) }
    }
  }

  /// Reads what `writeSplit` writes.
  static func split(
    _ root: JSONObjectReader
  ) throws(JSONError) -> ([Provider], [Group], [PlacementReport.Overlap], ReleaseAccounts) {
    var providers: [Provider] = []
    for element in try root.array("providers") { providers.append(try Provider(element.asObject())) }
    var groups: [Group] = []
    // Releases from before there were groups have none.
    if let list = try root.optionalArray("groups") {
      for element in list { groups.append(try Group(element.asObject())) }
    }
    var overlaps: [PlacementReport.Overlap] = []
    for element in try root.array("overlaps") { overlaps.append(try PlacementReport.Overlap(element.asObject())) }
    return (providers, groups, overlaps, try ReleaseAccounts(root.object("accounts")))
  }
}

extension ReleaseManifest.Provider {
  init(_ object: JSONObjectReader) throws(JSONError) {
    id = try object.providerID("id")
    title = try object.string("title")
    file = try object.string("file")
    guard !file.utf8.contains(0x2F), !file.hasPrefix(".") else {
      throw try object.required("file").error("expected the name of a file in the release folder, found \"\(file)\"")
    }
    sha256 = try object.digest("sha256")
    bytes = try object.int("bytes", in: 0...Int.max)
    packs = try object.optionalObject("packs").map { (object) throws(JSONError) in try Packs(object) }
    let most = Self.mostEntries(hasPacks: packs != nil)
    counts = EntryCounts(
      blocking: try object.int("blocking", in: 0...most),
      identification: try object.int("identification", in: 0...most))
    limit = try object.int("limit", in: 1...EntryLimit.maximum)
    let first = try object.optionalNumber("first")
    let last = try object.optionalNumber("last")
    numbers = if let first, let last, first <= last { first...last } else { nil }
    contentDigests = ContentDigests(
      blocking: try object.digest("blockingDigest"), identification: try object.digest("identificationDigest"))
  }
}

extension ReleaseManifest.Group {
  init(_ object: JSONObjectReader) throws(JSONError) {
    id = try object.providerID("id")
    var cuts: [PhoneNumber] = []
    for element in try object.array("cuts") {
      let cut = PhoneNumber(Int64(try element.asInt(in: 1...Int.max)))
      if let last = cuts.last, last >= cut {
        throw element.error("expected cuts that ascend, found \(cut) after \(last)")
      }
      cuts.append(cut)
    }
    let copies = try object.int("copies", in: 1...mostCopies)
    guard cuts.count < copies else {
      throw try object.required("cuts").error("expected fewer cuts than copies, found \(cuts.count)")
    }
    let fillBy = try object["fillBy"]?.asCase(of: FillRule.self) ?? .number
    self.copies = CopyGroup(copies: copies, cuts: cuts, isByScore: fillBy == .score)
  }
}

extension ReleaseAccounts {
  init(_ object: JSONObjectReader) throws(JSONError) {
    sources = []
    var total = OccurrenceAccounts()
    for element in try object.array("sources") {
      let source = try element.asObject()
      var occurrences = OccurrenceAccounts()
      for (key, path) in OccurrenceAccounts.keys {
        occurrences[keyPath: path] = try source.int(key, in: 0...mostCounted - total[keyPath: path])
      }
      total.add(occurrences)
      sources.append(
        Source(
          id: try source.string("id"), rows: try source.int("rows", in: 0...mostCounted),
          filteredRows: try source.optionalInt("filteredRows", in: 0...mostCounted) ?? 0,
          lines: try source.int("lines", in: 0...mostCounted), occurrences: occurrences))
    }
  }
}

extension OccurrenceAccounts {
  /// The figures by their names in reports.
  static var keys: [(key: String, path: WritableKeyPath<OccurrenceAccounts, Int>)] {
    [
      ("read", \.read), ("used", \.used), ("merged", \.merged), ("removed", \.removed), ("dropped", \.dropped),
      ("unclaimed", \.unclaimed), ("refused", \.refused),
    ]
  }
}

extension PlacementReport.Overlap {
  init(_ object: JSONObjectReader) throws(JSONError) {
    self.init(
      first: try object.providerID("first"), second: try object.providerID("second"),
      entries: EntryCounts(
        blocking: try object.int("blocking", in: 0...mostCounted),
        identification: try object.int("identification", in: 0...mostCounted)))
  }
}

extension JSONWriter {
  /// The array of overlaps, as manifests and reports have it.
  mutating func write(_ overlaps: [PlacementReport.Overlap]) {
    beginArray()
    for overlap in overlaps {
      beginObject(inline: true)
      member("first", overlap.first.rawValue)
      member("second", overlap.second.rawValue)
      member("blocking", overlap.entries.blocking)
      member("identification", overlap.entries.identification)
      endObject()
    }
    endArray()
  }

  /// The object of accounts, as manifests and reports have it.
  mutating func write(_ accounts: ReleaseAccounts) {
    beginObject()
    write(accounts.total)
    key("sources")
    beginArray()
    for source in accounts.sources {
      beginObject(inline: true)
      member("id", source.id)
      member("rows", source.rows)
      member("filteredRows", source.filteredRows)
      member("lines", source.lines)
      write(source.occurrences)
      endObject()
    }
    endArray()
    endObject()
  }

  private mutating func write(_ accounts: OccurrenceAccounts) {
    for (key, path) in OccurrenceAccounts.keys { member(key, accounts[keyPath: path]) }
  }
}

extension JSONObjectReader {
  func digest(_ key: String) throws(JSONError) -> SHA256Digest {
    let text = try string(key)
    guard let digest = SHA256Digest(hex: text) else {
      throw try required(key).mismatch("a SHA-256 digest of 64 hexadecimal digits")
    }
    return digest
  }

  fileprivate func providerID(_ key: String) throws(JSONError) -> ProviderID {
    guard let id = ProviderID(try string(key)) else { throw try required(key).mismatch(ProviderID.expectation) }
    return id
  }

  fileprivate func optionalNumber(_ key: String) throws(JSONError) -> PhoneNumber? {
    try optionalInt(key).map { PhoneNumber(Int64($0)) }
  }
}
