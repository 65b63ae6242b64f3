import CallDirectory
import Foundation
import TestSupport
import Testing

/// A generated directory, planned, applied and looked up, against an independent reading of its rows.
@Suite struct SampleTests {
  @Test("every number of a sample has the decision and label that its rows come to, and the accounts are exact")
  func sample() throws {
    let folder = try TemporaryFolder()
    try ToolRun(["sample", "--rows", "20000", "--output", folder.path("s")], in: folder.path).expect(0)
    let plan = try String(contentsOfFile: folder.path("s/plan.json"), encoding: .utf8)
    let world = try World(plan: plan)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path("s")) {
      try world.link(folder.path("s/\(name)"), as: name)
    }
    var model = NaiveSample()
    model.directory.keepsOverlaps = true
    let companies = ["moscow-spb", "russia", "abroad"]
    for source in companies { try model.readTable(source, world.folder.path("companies-\(source).tsv")) }
    try model.readList("spam", "block", world.folder.path("spam.txt"))
    try model.readList("ours", "allow", world.folder.path("never-block.txt"))
    model.directory.providers = [
      .init(id: "moscow-spb", clause: .init(sources: ["moscow-spb"])),
      .init(id: "russia", clause: .init(sources: ["russia", "spam"])),
      .init(id: "abroad", clause: .init(sources: ["abroad"])),
    ]

    let run = try world.succeed("apply", "--json")
    let accounts = try #require(run.json()["accounts"] as? [String: Any])
    for (key, value) in model.accounts { #expect(accounts[key] as? Int == value, "\(key)") }
    #expect(model.accounts["read"] == 21_662)

    let placed = model.directory.placed()
    for (expected, found) in zip(placed, try world.exported()) {
      #expect(found.id == expected.id)
      #expect(found.blocked == expected.blocked)
      #expect(found.labels == expected.labels)
    }
    try world.succeed("verify")

    let numbers = Set(model.directory.rows.map(\.number)).sorted()
    #expect(numbers.count > 19_000)
    for (order, options) in [
      (["moscow-spb", "russia", "abroad"], []), (["abroad", "russia", "moscow-spb"], ["--order", "abroad,russia"]),
    ] as [([String], [String])] {
      let phone = ReferencePhone(placed).ordered(order.map { id($0) })
      let found = try world.lookup(numbers.map { "+\($0)" }, options)
      let wrong = zip(numbers, found).filter { phone.decide(PhoneNumber($0)) != $1 }
      #expect(wrong.isEmpty, "\(wrong.count), first \(wrong.first.map { "\($0)" } ?? "")")
    }
    try checkSpellings(model, world)
  }

  /// `number --batch` on every phone cell agrees with the plain rules of the model.
  private func checkSpellings(_ model: NaiveSample, _ world: World) throws {
    let cells = model.cells.filter { !$0.contains("\t") }
    let input = cells.map { "\($0)\tRU\n" }.joined()
    let output = try world.run("number", "--batch", "-", input: input)
    output.expect(0)
    let lines = output.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(lines.count == cells.count)
    let wrong = zip(cells, lines).filter { cell, line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return fields.count != 3 || Int64(fields[1]) != NaiveSample.number(cell)
    }
    #expect(wrong.isEmpty, "\(wrong.count), first \(wrong.first.map { "\($0)" } ?? "")")
  }
}

/// The rows of a sample, read and counted as plainly as possible.
struct NaiveSample {
  var directory = NaiveDirectory()
  /// Every phone cell.
  var cells: [String] = []
  private var read = 0
  private var refusedNumbers = 0

  /// E.164 digits for the spellings of a sample; nil for what it writes to be refused.
  static func number(_ text: String) -> Int64? {
    var digits = text.filter { !" ()-".contains($0) }
    let isInternational = digits.hasPrefix("+")
    if isInternational { digits.removeFirst() }
    guard (7...15).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    if isInternational { return Int64(digits) }
    if digits.count == 11, digits.hasPrefix("7") || digits.hasPrefix("8") { return Int64("7" + digits.dropFirst()) }
    return digits.count == 10 ? Int64("7" + digits) : nil
  }

  mutating func readTable(_ source: String, _ path: String) throws {
    let kinds = ["company": "identify", "spam": "both", "hidden": "block"]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard let action = kinds[fields[3]] else { continue }
      add(fields[0], action, source, fields[1].trimmingCharacters(in: .whitespaces))
    }
  }

  mutating func readList(_ source: String, _ action: String, _ path: String) throws {
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
      add(String(line), action, source, "")
    }
  }

  private mutating func add(_ cell: String, _ action: String, _ source: String, _ label: String) {
    cells.append(cell)
    let occurrences = action == "both" ? 2 : 1
    read += occurrences
    if let number = Self.number(cell) {
      directory.rows.append(.init(number: number, action: action, source: source, label: label))
    } else {
      refusedNumbers += occurrences
    }
  }

  /// What has to become of every occurrence: one number of one row in one family.
  var accounts: [String: Int] {
    var used = 0
    var removed = 0
    var refused = refusedNumbers
    for (_, rows) in Dictionary(grouping: directory.rows, by: \.number) {
      let isAllowed = rows.contains { $0.action == "allow" }
      let blocking = rows.filter { $0.action == "block" || $0.action == "both" }
      let naming = rows.filter { $0.action == "identify" || $0.action == "both" }
      if isAllowed {
        used += 1
        removed += blocking.count
      } else if !blocking.isEmpty {
        used += 1
      }
      if naming.allSatisfy(\.label.isEmpty) { refused += naming.count } else { used += 1 }
    }
    return [
      "read": read, "used": used, "removed": removed, "refused": refused, "dropped": 0, "unclaimed": 0,
      "merged": read - used - removed - refused,
    ]
  }
}
