internal import CommandLineKit
internal import PositionedJSON
internal import SampleDirectory

/// `shardctl sample`: rows to try the product with.
enum SampleCommand {
  static let rows = Option.integer(
    "rows", "N", in: SampleRecipe.possibleRows, default: 4_200_000, "numbers to plan over all groups")
  static let seed = Option<UInt64>.integer(
    "seed", "S", in: 0...UInt64.max, default: 1, "the same seed gives the same bytes")
  static let output = Option<String>.required("output", short: "o", .directory(), "the folder to write to")
  static let wide = Option.flag("wide", "add address columns, so that rows are as long as real ones")
  static let day = Option.integer(
    "day", "N", in: SampleRecipe.possibleDays, default: 1, "2 is the day after: 3 % gone, 1 % new, 0.6 % relabelled")
  static let force = Option.flag("force", "replace files that are there")

  static let command = Command(
    CommandDefinition(
      "sample", "write realistic rows and a plan for them", section: "Data",
      options: [rows, seed, output, wide, day, force],
      examples: [
        CommandDefinition.Example("shardctl sample --rows 10000 --output try", "a small directory with its plan")
      ],
      exits: [CommandDefinition.Exit(.cannotCreate), CommandDefinition.Exit(.ioError)])
  ) { arguments, console in
    let directory = arguments[output]
    let recipe = SampleRecipe(
      rows: arguments[rows], seed: arguments[seed], isWide: arguments[wide], day: arguments[day])
    let progress = console.progress
    let writer = SampleWriter(recipe: recipe, directory: directory, replaces: arguments[force])
    let summary = try writer.write { done, total in
      progress.update("writing rows", done, of: total)
    }
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", "shardctl.sample/1")
      json.key("files")
      json.beginArray()
      for file in summary.files {
        json.beginObject(inline: true)
        json.member("name", file.name)
        json.member("rows", file.rows)
        json.member("bytes", file.bytes)
        json.endObject()
      }
      json.endArray()
      json.endObject()
      try console.print(json)
    } else {
      for file in summary.files {
        try console.print(
          "\(directory)/\(file.name): " + (file.rows > 0 ? "\(ReportText.plural(file.rows, "row")), " : "")
            + ReportText.megabytes(file.bytes))
      }
    }
    return .success
  }
}
