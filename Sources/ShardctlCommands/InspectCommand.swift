internal import CallDirectory
internal import CommandLineKit
internal import Digests
internal import PositionedJSON
internal import ShardFormat
internal import ShardPacks

/// `shardctl inspect`: what is in a shard file.
enum InspectCommand {
  static let file = Argument<String>.one(.file("SHARD"), "a shard file, or an index of packs")

  static let command = Command(
    CommandDefinition(
      "inspect", "show what a shard holds and where its bytes go", section: "Shards", arguments: [file],
      exits: [
        CommandDefinition.Exit(.dataError, "the file is no shard or is damaged"), CommandDefinition.Exit(.noInput),
      ])
  ) { arguments, console in
    if PackIndex.isIndex(arguments[file]) {
      try PackText.inspect(PackFolder(arguments[file]), arguments, console)
      return .success
    }
    let shard = try Shard(arguments[file])
    if arguments[StandardOptions.json] {
      try console.print(json(shard))
      return .success
    }
    let counts = shard.counts
    try console.print("\(shard.path): profile \(shard.profile), \(ReportText.grouped(shard.byteCount)) bytes")
    try console.print(
      "\(ReportText.plural(counts.total, "entry", "entries")): \(ReportText.grouped(counts.blocking)) blocking, "
        + "\(ReportText.grouped(counts.identification)) identification, of \(ReportText.plural(shard.numberCount, "number"))"
    )
    if let first = shard.firstNumber, let last = shard.lastNumber { try console.print("numbers \(first) … \(last)") }
    if shard.runCount > 0 {
      try console.print(
        "ranges: \(ReportText.grouped(shard.runCount)) with \(ReportText.plural(shard.runNumberCount, "number"))"
      )
    }
    try console.print("labels: \(ReportText.grouped(shard.labelByteCount)) bytes")
    var table = TextTable([("section", .left), ("offset", .right), ("bytes", .right), ("per entry", .right)])
    for section in shard.sections {
      table.add([
        "\(section.id)", ReportText.grouped(section.offset), ReportText.grouped(section.byteCount),
        perEntry(section.byteCount, counts.total),
      ])
    }
    for line in table.lines { try console.print(line) }
    try console.print("blocking       \(shard.contentDigests.blocking)")
    try console.print("identification \(shard.contentDigests.identification)")
    return .success
  }

  private static func perEntry(_ bytes: Int, _ entries: Int) -> String {
    guard entries > 0 else { return "–" }
    return ReportText.decimals(hundredths: (bytes * 100 + entries / 2) / entries)
  }

  private static func json(_ shard: Shard) -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", "shardctl.inspect/1")
    json.member("file", shard.path)
    json.member("profile", shard.profile.description)
    json.member("bytes", shard.byteCount)
    json.member("blocking", shard.counts.blocking)
    json.member("identification", shard.counts.identification)
    json.member("numbers", shard.numberCount)
    json.member("ranges", shard.runCount)
    json.member("numbersInRanges", shard.runNumberCount)
    json.member("first", shard.firstNumber?.description)
    json.member("last", shard.lastNumber?.description)
    json.member("labelBytes", shard.labelByteCount)
    json.member("blockingDigest", shard.contentDigests.blocking.hex)
    json.member("identificationDigest", shard.contentDigests.identification.hex)
    json.key("sections")
    json.beginArray()
    for section in shard.sections {
      json.beginObject(inline: true)
      json.member("name", section.id.description)
      json.member("offset", section.offset)
      json.member("bytes", section.byteCount)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json
  }
}
