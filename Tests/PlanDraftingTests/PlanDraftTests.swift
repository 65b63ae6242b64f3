import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import PhoneNumbering
import PlanFile
import ShardPlanning
import TestSupport
import Testing

@testable import PlanDrafting

/// Drafts a plan beside files and runs it.
struct Draft {
  let draft: PlanDraft
  let plan: Plan
  let folder: TemporaryFolder

  init(_ files: [String], in folder: TemporaryFolder, encoding: TextEncoding? = nil) throws {
    self.folder = folder
    let output = folder.path("plan.json")
    draft = try PlanDraft(files: files, output: output, encoding: encoding)
    try folder.write(draft.bytes, to: "plan.json")
    plan = try Plan.load(path: output)
  }

  /// The first or only source.
  var source: SourceDescription { plan.sources[0] }

  func preview() throws -> PlanReport {
    try DirectoryPublisher(plan.resolvingPaths(), options: PublishingOptions()).preview()
  }
}

@Suite("First plans for files of every format")
struct PlanDraftTests {
  private func draft(_ content: String, as name: String) throws -> Draft {
    try draft(Array(content.utf8), as: name)
  }

  private func draft(_ content: [UInt8], as name: String, encoding: TextEncoding? = nil) throws -> Draft {
    let folder = try TemporaryFolder()
    return try Draft([try folder.write(content, to: name)], in: folder, encoding: encoding)
  }

  private static let american = (0..<40).map { "(212) 555-0\(100 + $0)" }

  @Test("A comma table: phone, label and area by their names and contents, the country by its rules")
  func csv() throws {
    let rows = Self.american.enumerated().map { "\($0 + 1),\"Shop, \($0)\",\($0 % 3 == 0 ? "NY" : "NJ"),\($1)" }
    let draft = try draft("id,shop,state,phone\n" + rows.joined(separator: "\n"), as: "shops.csv")
    #expect(draft.source.numbers == .number(.name("phone")))
    #expect(draft.source.label == .column(.name("shop")) && draft.source.area == .name("state"))
    #expect(draft.source.spelling.region?.rawValue == "US" && draft.source.action == .fixed(.identify))
    let report = try draft.preview()
    #expect(report.accounts.total.used == 40 && report.accounts.total.refused == 0)
    #expect(draft.draft.advice.contains { $0.contains("NJ 26, NY 14") })
  }

  @Test("Other separators, with and without header", arguments: [";", "|", "\t"])
  func separators(separator: String) throws {
    let rows = Self.american.enumerated().map { "\($1)\(separator)Shop \($0)" }
    let bare = try draft(rows.joined(separator: "\r\n"), as: "list.txt")
    #expect(bare.source.format == .csv && bare.source.separator?.rawValue == separator && !bare.source.hasHeader)
    #expect(bare.source.numbers == .number(.position(1)) && bare.source.label == .column(.position(2)))
    #expect(try bare.preview().accounts.total.used == 40)
    let named = try draft("Tel\(separator)Firma\n" + rows.joined(separator: "\n"), as: "list.csv")
    #expect(named.source.hasHeader && named.source.numbers == .number(.name("Tel")))
    #expect(try named.preview().accounts.total.used == 40)
  }

  @Test("Lists of numbers and of one named column are blocked; so are lists whose name says so")
  func blockLists() throws {
    let bare = try draft("# list\n" + Self.american.joined(separator: "\n"), as: "numbers.txt")
    #expect(bare.source.format == .numbers && bare.source.action == .fixed(.block))
    #expect(try bare.preview().accounts.total.used == 40)
    let named = try draft("number\n" + Self.american.joined(separator: "\n"), as: "list.csv")
    #expect(named.source.numbers == .number(.name("number")) && named.source.action == .fixed(.block))
    let labelled = try draft(
      "phone,name\n" + Self.american.map { "\($0),Caller" }.joined(separator: "\n"), as: "my-spam.csv")
    #expect(labelled.source.action == .fixed(.both))
    #expect(try labelled.preview().accounts.total.used == 80)
  }

  @Test("JSON: the rows are found inside, columns are paths, several numbers of a row are read")
  func json() throws {
    let rows = Self.american.enumerated().map { index, phone in
      #"{"title": "Shop \#(index)", "place": {"city": "Ort \#(index % 4)"}, "phones": [{"n": "\#(phone)"}]}"#
    }
    let draft = try draft(#"{"ok": true, "data": {"items": [\#(rows.joined(separator: ",\n"))]}}"#, as: "a.json")
    #expect(draft.source.records == "data.items" && draft.source.numbers == .number(.name("phones.n")))
    #expect(draft.source.label == .column(.name("title")) && draft.source.area == .name("place.city"))
    #expect(try draft.preview().accounts.total.used == 40)
    let lines = try self.draft(rows.joined(separator: "\n"), as: "a.jsonl")
    #expect(lines.source.format == .jsonl && lines.source.numbers == .number(.name("phones.n")))
    #expect(try lines.preview().accounts.total.used == 40)
  }

  @Test("JSON: arrays of texts, and objects whose names are numbers")
  func bareJSON() throws {
    let texts = try draft("[\"" + Self.american.joined(separator: "\",\"") + "\"]", as: "a.json")
    #expect(texts.source.numbers == .number(.name("$value")) && texts.source.action == .fixed(.block))
    #expect(try texts.preview().accounts.total.used == 40)
    let members = Self.american.enumerated().map { "\"\($1)\": \"Shop \($0)\"" }
    let object = try draft("{\(members.joined(separator: ","))}", as: "b.json")
    #expect(object.source.numbers == .number(.name("$key")) && object.source.label == .column(.name("$value")))
    #expect(try object.preview().accounts.total.used == 40)
  }

  @Test("vCards and 2GIS records need no columns")
  func cards() throws {
    let cards = Self.american.enumerated().map { index, phone in
      "BEGIN:VCARD\nVERSION:3.0\nFN:Shop \(index)\nADR:;;;Ort \(index % 2);;;\nTEL:\(phone)\nEND:VCARD\n"
    }
    let vcard = try draft(cards.joined(), as: "a.vcf")
    #expect(vcard.source.format == .vcard && vcard.source.area == .name("ADR.locality"))
    #expect(try vcard.preview().accounts.total.used == 40)
    let records = (0..<40).flatMap { index -> [UInt8] in
      let name = Array("Shop \(index)".utf8)
      return [UInt8(8 + name.count), 0] + withUnsafeBytes(of: UInt64(12_125_550_100 + index).littleEndian) { Array($0) }
        + name
    }
    let gis = try draft(records, as: "a.2gis")
    #expect(gis.source.format == .twoGIS && gis.source.spelling.region == nil)
    #expect(try gis.preview().accounts.total.used == 40)
  }

  @Test("What was guessed is said beside it; the plan is the same each time")
  func comments() throws {
    let content = "phone,name\n" + Self.american.map { "\($0),A" }.joined(separator: "\n")
    let first = try draft(content, as: "a.csv")
    let text = String(decoding: first.draft.bytes, as: UTF8.self)
    #expect(text.contains("country US is a guess: its rules accept 100 % of the national numbers"))
    let again = try PlanDraft(files: [first.folder.path("a.csv")], output: first.folder.path("plan.json"))
    #expect(again.bytes == first.draft.bytes && again.findings == first.draft.findings)
  }

  @Test("Files that are alike become one source; remarks and several numbers in a cell are told")
  func several() throws {
    let folder = try TemporaryFolder()
    let content = "phone,name\n" + Self.american.map { "\($0),A" }.joined(separator: "\n")
    let files = try ["a.csv", "b.csv"].map { try folder.write(content, to: $0) }
    #expect(try Draft(files, in: folder).plan.sources.map(\.files.count) == [2])
    let rows = Self.american.map { "\"\($0), \($0.replacing("555-01", with: "555-02")) (shop)\",A" }
    let cells = try draft("phone,name\n" + rows.joined(separator: "\n"), as: "c.csv")
    #expect(cells.source.numberSeparator == ", " && cells.source.spelling.remarkHandling == .strip)
    #expect(try cells.preview().accounts.total.used == 80)
  }

  @Test("Another encoding is stated in the plan, told from the bytes or by the user")
  func encodings() throws {
    let rows = Self.american.map { "\($0),Кафе на углу" }.joined(separator: "\n")
    let bytes = Array("phone,name\n\(rows)".data(using: .windowsCP1251) ?? Data())
    let told = try draft(bytes, as: "a.csv")
    #expect(told.source.encoding == .windows1251)
    #expect(try told.preview().accounts.total.used == 40)
    let short = Array("phone,name\n2125550100,".utf8) + [0xC9, 0xC9]
    #expect(throws: DraftError.self) { try draft(short, as: "a.csv") }
    let stated = try draft(short, as: "a.csv", encoding: .windows1252)
    #expect(stated.source.encoding == .windows1252)
  }

  @Test("Every country of a column has a source, also one behind the first rows; what has no phone is counted")
  func countries() throws {
    var rows = (0..<20_000).map { "(212) 555-0\(100 + $0 % 100),Shop,\($0 % 2 == 0 ? "NY" : "NJ"),US" }
    rows +=
      (0..<30).map { "030 5550\(1000 + $0),Laden,Berlin,DE" }
    rows += ["030 55501099,Laden,Berlin,", ",Laden,Wien,AT", ",Laden,Wien,AT"]
    let draft = try draft("phone,name,city,country\n" + rows.joined(separator: "\n"), as: "world.csv")
    #expect(draft.plan.sources.map { $0.filters[0].values } == [["US"], ["DE"], [""]])
    #expect(draft.plan.sources.prefix(2).map { $0.spelling.region?.rawValue } == ["US", "DE"])
    #expect(draft.draft.omissions.count == 1 && draft.draft.omissions[0].hasSuffix(": AT 2"))
    let text = String(decoding: draft.draft.bytes, as: UTF8.self)
    #expect(text.contains("2 rows have no source") && text.contains("rows by area: Berlin 30\""))
  }

  @Test("The country of the plan is that of most rows, not the first of the alphabet")
  func planCountry() throws {
    let folder = try TemporaryFolder()
    let german = (0..<10).map { "030 5550\(1000 + $0),A" }
    let files = [
      try folder.write("phone,name\n" + german.joined(separator: "\n"), to: "de.csv"),
      try folder.write("phone,name,x\n" + Self.american.map { "\($0),A,B" }.joined(separator: "\n"), to: "us.csv"),
    ]
    let draft = try Draft(files, in: folder)
    #expect(draft.plan.sources.map { $0.spelling.region?.rawValue } == ["DE", "US"])
    #expect(
      String(decoding: draft.draft.bytes, as: UTF8.self).contains("\"name\": \"directory\",\n  \"country\": \"US\""))
  }

  @Test(
    "A list with some patterns is one of patterns; extensions and remarks are none",
    arguments: [
      ("# comment\n+7495000####\n8 (800) 200-*\n+74950000000-+74950000099\n+7*\n84991234567", SourceFormat.patterns),
      ("8 (800) 200-*\n84991234567\n84991234568", .patterns), ("+74950000000-+74950000099", .patterns),
      ("+12025550123 #136\n+12025550124 # spam", .numbers), ("(212) 555-0100\n(212) 555-0101", .numbers),
    ])
  func patterns(content: String, format: SourceFormat) throws {
    #expect(try draft(content, as: "list.txt").source.format == format)
  }

  @Test("A folder's name makes no list of numbers to block; the reasons are said")
  func blockReasons() throws {
    let folder = try TemporaryFolder()
    let content = "phone,name\n" + Self.american.map { "\($0),Shop" }.joined(separator: "\n")
    try FileManager.default.createDirectory(atPath: folder.path("spam"), withIntermediateDirectories: true)
    #expect(try Draft([folder.write(content, to: "spam/a.csv")], in: folder).source.action == .fixed(.identify))
    let named = try draft(content, as: "spam.csv").draft.findings
    #expect(named.contains("  it looks like a list of numbers to block: its name says \"spam\""))
    let bare = try draft(Self.american.joined(separator: "\n"), as: "a.txt").draft.findings
    #expect(bare.contains("  it looks like a list of numbers to block: it has no column of labels"))
  }

  @Test("Patterns with labels say how to show them; their providers are ranges, without an empty one for the rest")
  func patternProviders() throws {
    let rows = (0..<4).map { #"{"operator_name": "Orange", "pattern": "3316\#($0)#######"}"# }
    let draft = try draft("[\(rows.joined(separator: ","))]", as: "fr.json")
    let findings = draft.draft.findings.joined(separator: "\n")
    #expect(findings.contains(#"add "label": "operator_name" and "action": "both""#))
    #expect(!findings.contains("label in"))
    #expect(
      draft.plan.providers.count > 10 && draft.plan.providers.allSatisfy { !$0.id.description.contains("directory") })
    #expect(findings.contains("providers \"range-1\" to \"range-"))
  }

  @Test("Providers are shared out by country, and by areas only within a large country")
  func shares() {
    func source(_ country: String, _ size: Int, _ areas: [String]) -> SourceDraft {
      var draft = SourceDraft(id: country, files: [country], ownFormat: .csv)
      (draft.country, draft.expectedNumbers) = (RegionCode(country), size)
      draft.areas = areas.map { ($0, 1) }
      return draft
    }
    let providers = ProviderDraft.providers(for: [
      source("US", 3_000_000, ["CA", "NY", "TX"]), source("DE", 1_600_000, ["Berlin"]), source("AT", 500_000, ["Wien"]),
    ])
    #expect(providers.map(\.id) == ["us-1", "us-2", "us-3", "us", "de", "directory"])
    #expect(providers.map(\.areas) == [["CA"], ["NY"], ["TX"], [], [], []])
    #expect(providers.map { $0.countries.map(\.rawValue) } == [["US"], ["US"], ["US"], ["US"], ["DE"], []])
    #expect(ProviderDraft.providers(for: [source("US", 1000, ["CA", "NY"])]).map(\.id) == ["directory"])
  }

  @Test("Paths in the plan are relative to the plan")
  func paths() throws {
    let folder = try TemporaryFolder()
    try folder.write("phone\n" + Self.american.joined(separator: "\n"), to: "a.csv")
    let draft = try PlanDraft(files: [folder.path("a.csv")], output: "plans/x/plan.json")
    #expect(String(decoding: draft.bytes, as: UTF8.self).contains("\"file\": \"\(folder.path("a.csv"))\""))
  }

  @Test(
    "What no plan can be written for is said, with the reason",
    arguments: [
      ("", "is empty"), ("name,phone\n", "has a header and no rows"), ("BZh91AY&SY", "is packed with bzip2"),
      ("name,city\nA,B\nC,D\n", "holds no column of telephone numbers that can be recognised"),
      ("[1, 2", "is no valid JSON"),
    ])
  func refused(content: String, what: String) throws {
    let error = try #require(throws: DraftError.self) {
      try draft(content, as: content.hasPrefix("[") ? "a.json" : "a.csv")
    }
    #expect(error.what.hasPrefix(what) && error.file.contains("a."))
  }
}

@Suite("Encodings without mark")
struct EncodingGuessTests {
  private static let russian = "Аптека на углу, Стоматология доктора Иванова; Кафе Ромашка и Цветы; ремонт обуви. "

  private static func bytes(_ text: String, _ encoding: String.Encoding) -> [UInt8] {
    Array(text.data(using: encoding) ?? Data())
  }

  @Test("Each is told from the others by its rule")
  func rules() {
    let chinese: [UInt8] = [0xB1, 0xB1, 0xBE, 0xA9, 0xCA, 0xD0, 0x2C, 0xC9, 0xCF, 0xBA, 0xA3, 0x0A]
    let koi = String.Encoding(rawValue: CFEncoding.koi8r)
    let cases: [([UInt8], TextEncoding?)] = [
      (Array("plain".utf8), .utf8), (Array(Self.russian.utf8), .utf8),
      (Self.bytes(Self.russian, .windowsCP1251), .windows1251), (Self.bytes(Self.russian, koi), .koi8r),
      (Self.bytes("Café Müller, Straße; Español, Crème brûlée", .windowsCP1252), .windows1252),
      (Array([[UInt8]](repeating: chinese, count: 10).joined()), .gb18030),
      (Self.bytes("phone;name;city\r\n12345;Кафе", .utf16LittleEndian), .utf16LittleEndian),
      (Self.bytes("phone;name;city\r\n12345;Кафе", .utf16BigEndian), .utf16BigEndian),
      ([0xFF, 0xFE, 0x80, 0x81, 0x82], nil),
    ]
    for (bytes, encoding) in cases where !bytes.isEmpty {
      #expect(EncodingGuess.encoding(of: bytes[...], isWhole: true) == encoding, "\(encoding?.rawValue ?? "none")")
    }
    #expect(EncodingGuess.encoding(of: Array("Кафе".utf8).dropLast()[...], isWhole: false) == .utf8)
  }

  private enum CFEncoding { static let koi8r: UInt = 0x8000_0A02 }
}
