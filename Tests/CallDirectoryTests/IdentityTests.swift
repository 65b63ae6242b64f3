import CallDirectory
import TestSupport
import Testing

@Suite struct ProviderIDTests {
  @Test(
    "an id is 1 to 64 letters, digits, dots, lines and hyphens and begins with a letter or digit",
    arguments: [
      ("a", true), ("Moscow-SPb_2.1", true), ("0", true), (String(repeating: "a", count: 64), true),
      (String(repeating: "a", count: 65), false), ("", false), (".a", false), ("-a", false), ("_a", false),
      ("a b", false),
      ("a/b", false), ("..", false), ("москва", false), ("a\u{301}", false), ("a\n", false), ("a\0", false),
    ])
  func validity(text: String, isValid: Bool) {
    #expect((ProviderID(text) != nil) == isValid)
    if isValid { #expect(ProviderID(text)?.description == text) }
  }

  @Test("ids are ordered by bytes and differ by case")
  func order() throws {
    let ids = try ["b", "a", "B", "a.", "a-"].map { try #require(ProviderID($0)) }
    #expect(ids.sorted().map(\.rawValue) == ["B", "a", "a-", "a.", "b"])
    #expect(ProviderID("a") != ProviderID("A"))
  }
}

@Suite struct SettingsOrderTests {
  private let ids = ["a", "b", "c", "d"].compactMap { ProviderID($0) }

  @Test("R-WIN-5: an id has one position; a repeated one is refused")
  func unique() throws {
    let order = try #require(SettingsOrder(ids))
    #expect(ids.map { order.position(of: $0) } == [0, 1, 2, 3])
    #expect(try order.position(of: #require(ProviderID("x"))) == nil)
    #expect(SettingsOrder([ids[0], ids[1], ids[0]]) == nil)
  }

  @Test("R-WIN-4: a new id comes at the end, a known one keeps its place")
  func append() throws {
    var order = SettingsOrder()
    for index in [1, 0, 1, 2] { order.append(ids[index]) }
    #expect(order.ids == [ids[1], ids[0], ids[2]])
    order.remove(ids[0])
    order.remove(ids[3])
    #expect(order.ids == [ids[1], ids[2]])
  }

  @Test("every choice of first ids comes first and the rest keep their order")
  func reordered() throws {
    let order = try #require(SettingsOrder(ids))
    for first in ids.subsets.flatMap(\.permutations) {
      let result = try #require(order.reordered(first: first))
      #expect(Array(result.ids.prefix(first.count)) == first)
      #expect(Array(result.ids.dropFirst(first.count)) == ids.filter { !first.contains($0) })
    }
    #expect(order.reordered(first: [ids[0], ids[0]]) == nil)
    #expect(try order.reordered(first: [#require(ProviderID("x"))]) == nil)
  }
}
