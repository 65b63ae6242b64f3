import CallDirectory
import DirectoryPublishing
import DirectorySources
import PhoneNumbering
import PlanFile
import ShardPlanning
import TestSupport
import Testing

@testable import PlanDrafting

@Suite("Columns that a first plan gives a meaning of their own")
struct ColumnMeaningTests {
  private func draft(_ content: String, as name: String) throws -> Draft {
    let folder = try TemporaryFolder()
    return try Draft([try folder.write(Array(content.utf8), to: name)], in: folder)
  }

  private static let usual: [String: EntryAction] = ["identify": .identify, "block": .block, "both": .both]

  @Test("A column of action words decides for each row, with the actions that were not seen")
  func actions() throws {
    let named = try draft(
      "number,label,action\n+74951234567,Alpha,identify\n+74951234568,,block\n+74951234569,Beta,identify\n", as: "a.csv"
    )
    #expect(named.source.action == .column(.name("action"), values: Self.usual))
    #expect(named.source.label == .column(.name("label")))
    let total = try named.preview().accounts.total
    #expect(total.used == 3 && total.refused == 0)
    #expect(named.draft.findings.contains { $0.contains("action in \"action\"") })

    let bare = try draft("74951234567\tAlpha\tboth\n74951234568\t\tblock\n74951234569\t\tblock\n", as: "spam.tsv")
    #expect(bare.source.action == .column(.position(3), values: Self.usual))
    #expect(bare.source.label == .column(.position(2)))
    #expect(try bare.preview().accounts.total.refused == 0)

    let lines = try draft(
      #"{"number": "+74951234567", "label": "Alpha", "action": "both"}"# + "\n"
        + #"{"number": "+74951234568", "label": "", "action": "block"}"# + "\n", as: "a.jsonl")
    #expect(lines.source.action == .column(.name("action"), values: Self.usual))
    #expect(try lines.preview().accounts.total.used == 3)
  }

  @Test("Labels that come behind the rows looked at have their column; other spellings and words are kept")
  func spellings() throws {
    let blocks = try draft("number,label,action\n+74951234567,,block\n+74951234568,,block\n", as: "a.csv")
    #expect(blocks.source.label == .column(.name("label")))
    #expect(try blocks.preview().accounts.total.used == 2)
    let others = try draft(
      "number,name,kind\n+74951234567,Alpha,Block\n+74951234568,Beta,Allow\n+74951234569,Gamma,Identify\n", as: "a.csv")
    #expect(
      others.source.action
        == .column(
          .name("kind"), values: ["Identify": .identify, "Block": .block, "Both": .both, "Allow": .allow]))
  }

  @Test("A word that is no action, or one that other columns have too, makes no column of actions")
  func noActions() throws {
    let other = try draft("number,name,kind\n+74951234567,Alpha,block\n+74951234568,Beta,street\n", as: "a.csv")
    #expect(other.source.action == .fixed(.identify))
    let both = try draft("number,name,sides\n+74951234567,Alpha,both\n+74951234568,Beta,both\n", as: "a.csv")
    #expect(both.source.action == .fixed(.identify))
  }

  @Test("A column of 1 and 0 that is named after blocking is advice", arguments: [("1", "0"), ("yes", "no")])
  func flags(yes: String, no: String) throws {
    let draft = try draft("number,name,spam\n+74951234567,Alpha,\(yes)\n+74951234568,Beta,\(no)\n", as: "a.csv")
    #expect(draft.source.action == .fixed(.identify))
    let advice = "\"action\": {\"column\": \"spam\", \"values\": {\"\(yes)\": \"both\"}} does so"
    #expect(draft.draft.advice.contains { $0.hasPrefix("source \"a\": ") && $0.contains(advice) })
    let plain = try self.draft("number,name,floor\n+74951234567,Alpha,\(yes)\n+74951234568,Beta,\(no)\n", as: "a.csv")
    #expect(plain.draft.advice.isEmpty)
  }

  @Test("A file that is read country by country has its advice once")
  func advisedOnce() throws {
    let rows = (0..<10).map { "0495 12345\($0 + 10),Alpha \($0),\($0 % 2),\($0 % 2 == 0 ? "IT" : "DE")" }
    let draft = try draft("phone,name,spam,country\n" + rows.joined(separator: "\n"), as: "a.csv")
    #expect(draft.plan.sources.count == 2)
    #expect(draft.draft.advice.count { $0.contains("column \"spam\"") } == 1)
  }

  @Test(
    "Two columns of ends are ranges",
    arguments: ["from,to", "start,end", "von,bis", "first,last", "Number From,Number To"])
  func ranges(names: String) throws {
    let draft = try draft(
      "\(names),name\n+74951230000,+74951230099,Alpha\n+74951240000,+74951240099,Beta\n", as: "a.csv")
    let pair = names.split(separator: ",").map(String.init)
    #expect(draft.source.numbers == .range(from: .name(pair[0]), to: .name(pair[1])))
    #expect(draft.source.label == .column(.name("name")))
    #expect(try draft.preview().accounts.total.used == 200)
    #expect(draft.draft.findings.contains { $0.contains("ranges from \"\(pair[0])\", to \"\(pair[1])\"") })
  }

  @Test("Calls from one number to another are no ranges, and that is said")
  func calls() throws {
    let draft = try draft(
      "from,to,name\n+74951230000,+74951230099,Alpha\n+74951240000,+49301234567,Beta\n+74959990000,+74951240099,Gamma\n",
      as: "a.csv")
    #expect(draft.source.numbers == .number(.name("from")))
    #expect(draft.draft.findings.contains { $0.contains("named like the ends of ranges") })
  }

  @Test("What is wrong with a pattern or a range is said as plan says it, and no country is asked for where all have +")
  func refusals() throws {
    let patterns = try draft("+7495123####\n+7495#\n", as: "spam.txt")
    #expect(patterns.draft.findings.contains { $0.contains("1 of 2 will be refused, for example +7495#: too short") })
    #expect(!patterns.draft.findings.contains { $0.contains("no country fits") })
    let report = try patterns.preview()
    #expect(report.accounts.total.refused == 1)
    let numbers = try draft("+74951234567\n+74951\n", as: "spam.txt")
    #expect(!numbers.draft.findings.contains { $0.contains("no country fits") })
  }
}
