/// The plan of a sample, as text: three providers that each claim the sources made for them.
struct SamplePlan {
  let recipe: SampleRecipe
  let summary: SampleSummary
  let tables: [GroupTable]

  /// A group is cut into parts of about this many entries or fewer.
  let mostEntries: Int

  var text: String {
    """
    {
      "schema": 1,
      "comment": [
        "Written by: shardctl sample --rows \(recipe.rows) --seed \(recipe.seed)\(recipe.isWide ? " --wide" : "")",
        "\(Demonstration.labelled.number): labelled by moscow-spb alone",
        "\(Demonstration.overlap.number): labelled by moscow-spb and, otherwise, by russia; the upper one is shown",
        "\(Demonstration.blocked.number): labelled by russia; blocked in every order once a provider reads blocklist.txt",
        "\(Demonstration.unknown.number): in no file"
      ],
      "name": "sample",
      "country": "RU",
      "overlaps": "keep",
      "sources": [
    \(SampleGroup.allCases.map(source).joined(separator: ",\n")),
        { "id": "spam", "file": "spam.txt", "action": "block" },
        { "id": "ours", "file": "never-block.txt", "action": "allow" }
      ],
      "providers": [
    \(SampleGroup.allCases.map(providers).joined(separator: ",\n"))
      ]
    }

    """
  }

  private func source(_ group: SampleGroup) -> String {
    """
        {
          "id": "\(group.id)", "file": "\(group.fileName)",
          "number": "phone", "label": "name", "area": "\(group == .abroad ? "country" : "city")", "score": "calls",
          "action": { "column": "kind", "values": { "company": "identify", "spam": "both", "hidden": "block" } }
        }
    """
  }

  private func providers(_ group: SampleGroup) -> String {
    let title =
      switch group {
      case .moscow: "Москва и Петербург"
      case .russia: "Россия"
      case .abroad: "Другие страны"
      }
    // Blocks of spam.txt go to the provider of the whole country; overlaps stay with each claimant.
    let sources = group == .russia ? "\"russia\", \"spam\"" : "\"\(group.id)\""
    let ranges = ranges(group)
    guard ranges.count > 1 else {
      return "    { \"id\": \"\(group.id)\", \"title\": \"\(title)\", \"sources\": [\(sources)] }"
    }
    return ranges.enumerated().map { index, range in
      "    { \"id\": \"\(group.id)-\(index + 1)\", \"title\": \"\(title) \(index + 1)\", \"sources\": [\(sources)],\n"
        + "      \"ranges\": [\"+\(range.lowerBound)-+\(range.upperBound)\"] }"
    }.joined(separator: ",\n")
  }

  /// Ranges that cut the numbers of a group into parts for one provider each; one when it fits.
  private func ranges(_ group: SampleGroup) -> [ClosedRange<UInt64>] {
    let whole: ClosedRange<UInt64> = 1_000_000...999_999_999_999_999
    let entries = summary.groups[group.rawValue].entries
    let parts = (entries + mostEntries - 1) / mostEntries
    guard parts > 1 else { return [whole] }
    let numbers = tables[group.rawValue].numbers.sorted()
    var ranges: [ClosedRange<UInt64>] = []
    var first = whole.lowerBound
    for part in 1..<parts {
      let next = numbers[part * numbers.count / parts]
      ranges.append(first...(next - 1))
      first = next
    }
    return ranges + [first...whole.upperBound]
  }
}
