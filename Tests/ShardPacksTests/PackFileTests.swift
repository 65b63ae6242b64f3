import CallDirectory
import Foundation
import PositionedJSON
import ShardPacks
import TestSupport
import Testing

/// The index, the choice and the files of packs, sound and broken.
@Suite struct PackFileTests {
  private static func world() throws -> PackWorld {
    try PackWorld([
      "base": [1: .init(isBlocked: true)], "Москва": [2: .init(label: "Два"), 3: .init(label: "Три")],
      "Казань": [2: .init(label: "Два"), 4: .init(isBlocked: true, label: "Четыре")],
    ])
  }

  @Test func `An index is read as it was written`() throws {
    let world = try Self.world()
    let path = try world.write(limit: 100, sets: [["Москва", "base"], nil, []])
    let folder = try PackFolder(path)
    #expect(folder.index.encoded() == [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    #expect(folder.index.names == ["base", "Казань", "Москва"])
    #expect(folder.index.standardNames == ["Москва", "base"])
    #expect(folder.index.sets.map(\.counts.total) == [3, 5, 0])
    #expect(folder.verify().isEmpty)
  }

  @Test(arguments: [
    ("{", "this is no index of packs"), ("[]", "expected an object"),
    ("{\"schema\": \"shardctl.packs/2\"}", "shardctl.packs/1"),
    ("{\"schema\": \"shardctl.packs/1\"}", "\"provider\""),
  ])
  func `A file that is no index is refused with its place`(text: String, expected: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "p.packs")
    let error = #expect(throws: PackError.self) { try PackFolder(path) }
    #expect(error?.kind == .damaged && error?.what.contains(expected) == true, "\(String(describing: error))")
    #expect(error?.place.hasPrefix("\(path):1:") == true)
  }

  @Test(arguments: [
    ("\"provider\": \"p\"", "\"provider\": \"/\"", "provider"), ("\"limit\": 1999999", "\"limit\": 2000000", "limit"),
    ("\"withoutArea\": \"base\"", "\"withoutArea\": \"other\"", "expected the pack \"other\""),
    ("\"packs\": null", "\"packs\": [\"Тверь\"]", "expected names of packs, found \"Тверь\""),
    ("\"name\": \"base\"", "\"name\": \"Москва\"", "expected packs in ascending order"),
    ("\"file\": \"p-", "\"file\": \"../p-", "expected the name of a file"),
    ("\"sha256\": \"", "\"sha256\": \"x", "SHA-256"),
    ("\"blocking\": 1", "\"blocking\": -1", "blocking"),
  ])
  func `An index that contradicts itself is refused`(old: String, new: String, expected: String) throws {
    let world = try Self.world()
    let path = try world.write()
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    let place = try #require(text.range(of: old))
    let folder = try TemporaryFolder()
    let broken = try folder.write(text.replacingCharacters(in: place, with: new), to: "p.packs")
    let error = #expect(throws: PackError.self) { try PackFolder(broken) }
    #expect(error?.what.contains(expected) == true, "\(String(describing: error))")
  }

  @Test func `An index cut off or with any byte changed is refused or read, and never traps`() throws {
    let world = try Self.world()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: world.write())))
    let folder = try TemporaryFolder()
    for length in 0..<bytes.count - 1 {
      let path = try folder.write(Array(bytes[..<length]), to: "p.packs")
      #expect(throws: PackError.self, "\(length)") { try PackFolder(path) }
    }
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x10
      let path = try folder.write(changed, to: "p.packs")
      if let read = try? PackFolder(path) { #expect(!read.verify().isEmpty || read.index.encoded() == changed) }
    }
  }

  @Test(arguments: [
    (#"{"packs": ["Москва", "Казань"]}"#, ["Москва", "Казань"]), (#"{"comment": 1, "packs": []}"#, []),
  ])
  func `The choice is read in its order, and no file is the first set`(text: String, expected: [String]) throws {
    let world = try Self.world()
    let index = try PackFolder(world.write(sets: [["base"]])).index
    let container = try TemporaryFolder()
    #expect(try InstalledPacks(container: container.path, index).names(index) == ["base"])
    #expect(try InstalledPacks(container: container.path("none"), index).names(index) == ["base"])
    try container.write(text, to: "installed.json")
    let choice = try InstalledPacks(container: container.path, index)
    #expect(choice.names(index) == expected && choice.chosen == expected)
  }

  @Test(arguments: [
    (#"{"packs": ["Масква"]}"#, ":1:12", #"packs[0]: there is no pack "Масква" of p"#, #"did you mean "Москва"?"#),
    (#"{"packs": ["xyzzyx"]}"#, ":1:12", #"packs[0]: there is no pack "xyzzyx" of p"#, "packs: base, Казань, Москва"),
    ("{\"packs\": [\"base\",\n\"base\"]}", ":2:1", #"packs[1]: the pack "base" comes twice"#, "name it once"),
    (
      #"{"packs": [1]}"#, ":1:12", "packs[0]: expected a string, found 1",
      #"expected { "packs": ["…", …] } with names of packs"#
    ),
    (#"{"pack": []}"#, ":1:2", #"pack: unknown key "pack""#, #"did you mean "packs"?"#),
    ("{}", ":1:1", #"expected the key "packs", found none"#, #"expected { "packs": ["…", …] } with names of packs"#),
    ("", ":1:1", "expected a value, found the end of the text", "the text is empty"),
  ])
  func `A choice that is none names its place and what to do`(text: String, place: String, what: String, hint: String)
    throws
  {
    let world = try Self.world()
    let index = try PackFolder(world.write()).index
    let container = try TemporaryFolder()
    let path = try container.write(text, to: "installed.json")
    let error = #expect(throws: PackError.self) { try InstalledPacks(container: container.path, index) }
    #expect(error?.kind == .wrongChoice && error?.place == path + place)
    #expect(error?.what == what && error?.hint == hint)
  }

  @Test func `A pack that is gone, damaged or of another release is told apart`() throws {
    let world = try Self.world()
    let folder = try PackFolder(world.write())
    let pack = try #require(folder.index.pack("Москва"))
    let file = folder.path(of: pack)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    try FileManager.default.removeItem(atPath: file)
    let gone = #expect(throws: PackError.self) { try folder.open(["Москва"]) }
    #expect(gone?.kind == .missing && gone?.place == file && gone?.what == "the pack \"Москва\" is not there")
    #expect(try folder.open(["base", "Казань"]).count == 2)
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
    #expect((#expect(throws: PackError.self) { try folder.open(["Москва"]) })?.kind == .damaged)
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.copyItem(atPath: folder.path(of: try #require(folder.index.pack("base"))), toPath: file)
    let other = #expect(throws: PackError.self) { try folder.open(["Москва"]) }
    #expect(other?.what.hasPrefix("the pack \"Москва\" has 1 entries") == true, "\(String(describing: other))")
    let unknown = #expect(throws: PackError.self) { try folder.open(["Тверь"]) }
    #expect(unknown?.kind == .wrongChoice)
  }

  @Test func `verify finds every byte that is changed in a pack`() throws {
    let world = try Self.world()
    let folder = try PackFolder(world.write())
    for pack in folder.index.packs {
      let url = URL(fileURLWithPath: folder.path(of: pack))
      let bytes = try Data(contentsOf: url)
      for place in stride(from: 0, to: bytes.count, by: 7) {
        var changed = bytes
        changed[place] ^= 1
        try changed.write(to: url)
        let problems = folder.verify()
        #expect(problems.count == 1 && problems[0].place == url.path && problems[0].what.contains(pack.name))
      }
      try bytes.write(to: url)
    }
    #expect(folder.verify().isEmpty)
  }

  @Test func `The limit counts a number of several packs once, and the error says what fits`() throws {
    let world = try Self.world()
    // Together 5 entries, 6 by the packs: the block of 4 and its label are two.
    let folder = try PackFolder(world.write(limit: 4, sets: [["base", "Москва"]]))
    #expect(folder.verify().isEmpty)
    let all = ["base", "Казань", "Москва"]
    try folder.checkLimit(all, folder.open(all), limit: 5)
    let error = #expect(throws: PackError.self) { try folder.checkLimit(all, folder.open(all), limit: 4) }
    #expect(error?.kind == .tooManyEntries)
    #expect(
      error?.what
        == "the installed packs (base, Казань, Москва) come to 5 entries (2 blocking, 3 identification), 1 over the limit of 4"
    )
    #expect(error?.hint == "install fewer packs; sets that fit: base + Москва")
    let over = try PackFolder(world.write(limit: 4))
    #expect(over.verify().map(\.what) == ["all packs: 5 entries, over the limit of 4"])
  }
}
