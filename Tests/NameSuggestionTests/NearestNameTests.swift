import NameSuggestion
import Testing

@Suite struct NearestNameTests {
  @Test(
    arguments: [
      ("lokup", "lookup"), ("loookup", "lookup"), ("lookpu", "lookup"), ("stats", "status"), ("Plan", "plan"),
      ("pl", nil), ("zebra", nil), ("", nil), ("buidl", "build"),
    ] as [(String, String?)])
  func `The nearest command is the one a person means, or none`(word: String, expected: String?) {
    #expect(NearestName.find(word, among: ["plan", "build", "lookup", "status", "restore"]) == expected)
  }

  @Test(
    arguments: [
      ("soruces", "sources"), ("Labels", "label"), ("spilsTo", "spillsTo"), ("zzz", nil), ("id", "id"), ("x", nil),
      ("areas", "areas"), ("area", "area"), ("Мсква", nil),
    ] as [(String, String?)])
  func `The nearest name is found within a third of its length`(text: String, expected: String?) {
    #expect(NearestName.find(text, among: ["sources", "label", "spillsTo", "id", "area", "areas"]) == expected)
  }

  @Test func `Letters count as letters in every script`() {
    #expect(NearestName.find("Мсква", among: ["Минск", "Москва"]) == "Москва")
  }
}
