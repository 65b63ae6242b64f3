import CallDirectory
import Foundation
import TestSupport

/// A seeded random plan with rows of every action over few numbers, so that everything collides, as files of a `World`.
struct RandomWorld {
  static let numbers: [Int64] =
    (0..<4).map { 74_951_234_560 + $0 } + (0..<3).map { 79_161_234_560 + $0 } + (0..<3).map { 390_612_345_600 + $0 }
    + (0..<2).map { 12_125_550_100 + $0 }
  private static let sources = ["s0", "s1", "s2"]

  var directory = NaiveDirectory()
  var contacts: [Int64: String] = [:]
  var contactsAreExempt: Bool
  private var random: SeededGenerator

  /// A world of `providers` planned providers, the last of which takes the rest.
  init(seed: UInt64, providers: Int, limits: Bool = false) {
    random = SeededGenerator(seed: seed)
    contactsAreExempt = Bool.random(using: &random)
    directory.keepsOverlaps = limits ? false : Bool.random(using: &random)
    for source in Self.sources {
      for line in 0..<Int.random(in: 6...16, using: &random) {
        let label = Int.random(in: 0..<4, using: &random) == 0 ? "" : "label \(line) of \(source)"
        directory.rows.append(
          NaiveDirectory.Row(
            number: pick(Self.numbers),
            action: pick(["identify", "identify", "identify", "block", "both", "both", "allow", "remove"]),
            source: source, area: pick(["", "north", "south"]), label: label))
      }
    }
    for index in 0..<providers - 1 {
      directory.providers.append(
        NaiveDirectory.Provider(
          id: "p\(index)", clause: clause(), anyOf: (0..<pick([0, 0, 1, 2])).map { _ in clause() }))
    }
    directory.providers.append(NaiveDirectory.Provider(id: "rest", isRest: true))
    if limits {
      for index in directory.providers.indices {
        directory.providers[index].limit = Int.random(in: 2...9, using: &random)
        if index + 1 < providers { directory.providers[index].spillsTo = [directory.providers[index + 1].id] }
      }
    }
    for number in Self.numbers where Int.random(in: 0..<6, using: &random) == 0 {
      contacts[number] = "contact \(number)"
    }
  }

  /// The files in a folder.
  func make() throws -> World {
    var phone: [String: Any] = ["profile": contactsAreExempt ? "ios18" : "ios10"]
    if !contacts.isEmpty { phone["contacts"] = "contacts.tsv" }
    var files = ["contacts.tsv": contacts.map { "+\($0.key)\t\($0.value)\n" }.joined()]
    for source in Self.sources { files["\(source).tsv"] = directory.table(of: source) }
    return try World(plan: directory.plan(sources: Self.sources, more: ["phone": phone]), files)
  }

  /// A naive phone with the given providers and this world's contacts.
  func phone(_ providers: [ReferencePhone.Provider]) -> ReferencePhone {
    ReferencePhone(
      providers, contacts: Dictionary(uniqueKeysWithValues: contacts.map { (PhoneNumber($0.key), $0.value) }),
      contactsOverrideBlocks: contactsAreExempt)
  }

  private mutating func clause() -> NaiveDirectory.Clause {
    var clause = NaiveDirectory.Clause()
    while true {
      if isChosen() { clause.areas = pick([["north"], ["south"], ["north", "south"]]) }
      if isChosen() { clause.prefixes = pick([["7"], ["7495", "39"], ["1", "39"]]) }
      if isChosen() { clause.sources = pick([["s0"], ["s1", "s2"]]) }
      if isChosen() { clause.action = pick(["block", "identify"]) }
      if isChosen() { clause.range = pick([74_951_234_561...79_161_234_560, 12_125_550_101...74_951_234_562]) }
      if clause.areas != nil || clause.prefixes != nil || clause.sources != nil || clause.action != nil
        || clause.range != nil
      {
        return clause
      }
    }
  }

  private mutating func isChosen() -> Bool { Int.random(in: 0..<4, using: &random) == 0 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}
