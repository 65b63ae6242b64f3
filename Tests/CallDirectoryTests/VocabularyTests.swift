import CallDirectory
import TestSupport
import Testing

@Suite struct VocabularyTests {
  @Test(
    "R-ENT-3, SEMANTICS case 11: a phone keeps labels of 1 to 65,534 bytes",
    arguments: [
      (0, false), (1, true), (65_534, true), (65_535, false), (-1, false),
    ])
  func labelLength(bytes: Int, isKept: Bool) { #expect(CallLabel.isKept(byteCount: bytes) == isKept) }

  @Test(
    "R-ENT-4: the first line ends at any line end",
    arguments: [
      ("", ""), ("a", "a"), ("a\nb", "a"), ("a\r\nb", "a"), ("a\rb", "a"), ("\n", ""), ("a\n", "a"),
      ("é\u{2028}b", "é\u{2028}b"),
    ])
  func firstLine(label: String, expected: String) {
    let line = Array(label.utf8).withUnsafeBytes { Array(CallLabel.firstLine(of: $0)) }
    #expect(line == Array(expected.utf8))
  }

  @Test(
    "a number is shown with a plus unless it is a short code; any integer can be held",
    arguments: [
      (74_951_234_567, "+74951234567"), (10_000_000, "+10000000"), (9_999_999, "9999999"), (112, "112"), (0, "0"),
      (-1, "-1"),
      (Int64.max, "+9223372036854775807"), (.min, "-9223372036854775808"),
    ])
  func number(value: Int64, text: String) {
    #expect(PhoneNumber(value).description == text)
    #expect(PhoneNumber(rawValue: value) == PhoneNumber(value))
  }

  @Test("numbers ascend as integers, not as digits")
  func numberOrder() {
    let sorted = [112, -1, 74_951_234_567, 9, 0].map { PhoneNumber($0) }.sorted()
    #expect(sorted.map(\.rawValue) == [-1, 0, 9, 112, 74_951_234_567])
  }

  @Test("the manager's error codes are the phone's, by name and number")
  func managerCodes() {
    let names = [
      "unknown", "noExtensionFound", "loadingInterrupted", "entriesOutOfOrder", "duplicateEntries",
      "maximumEntriesExceeded", "extensionDisabled", "currentlyLoading", "unexpectedIncrementalRemoval",
    ]
    for (code, name) in names.enumerated() {
      let error = PhoneError(domain: "com.apple.CallKit.error.calldirectorymanager", code: code)
      #expect(error.managerCode.map { "\($0)" } == name)
      #expect(error.description == "error \(code) \(name)")
    }
    #expect(PhoneError.ManagerCode.allCases.count == names.count)
  }

  @Test(
    "R-LIFE-8, B-094: an unknown code is kept as a number, and so is any code of another domain",
    arguments: [
      (PhoneError.managerDomain, 102), (PhoneError.managerDomain, -1), ("com.apple.callkit.database.sqlite", 19),
      ("", 3),
    ])
  func unknownCodes(domain: String, code: Int) {
    let error = PhoneError(domain: domain, code: code)
    #expect(error.managerCode == nil)
    #expect(error.description == "error \(code) (\(domain))")
  }

  @Test("R-CAP-1, R-CAP-2: 1,999,999 entries at most, both families counted together")
  func counts() {
    #expect(EntryLimit.maximum == 1_999_999)
    var counts = EntryCounts(blocking: 2, identification: 3)
    #expect(counts.total == 5)
    for family in EntryFamily.allCases { counts[family] += 10 }
    #expect(counts == EntryCounts(blocking: 12, identification: 13))
    #expect(EntryFamily.allCases.map { counts[$0] } == [12, 13])
    let label = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(DirectoryEntry(number: PhoneNumber(1), isBlocked: true, label: label).entryCount == 2)
    #expect(DirectoryEntry(number: PhoneNumber(1), isBlocked: false, label: label).entryCount == 1)
    #expect(DirectoryEntry(number: PhoneNumber(1), isBlocked: false, label: nil).entryCount == 0)
  }

  @Test("each action contributes to the families it names")
  func actions() {
    let families = Dictionary(uniqueKeysWithValues: EntryAction.allCases.map { ($0.rawValue, $0.families) })
    #expect(
      families == [
        "identify": [.identification], "block": [.blocking], "both": [.blocking, .identification], "allow": [],
        "remove": [],
      ])
  }

  @Test("R-ORD-4, R-MEM-1, R-WIN-3, R-LIFE-3: what the two generations of the system differ in")
  func profiles() {
    let (old, new) = (PhoneProfile(.ios10), PhoneProfile(.ios18))
    #expect(old.flushEntries == 5_000 && new.flushEntries == 10_000)
    #expect(old.memoryLimit == 6_000_000 && new.memoryLimit == 12_000_000)
    #expect(!old.contactsOverrideBlocks && new.contactsOverrideBlocks)
    #expect(old.loadsOnEnable && !new.loadsOnEnable)
  }

  @Test("R-LIFE-1: the states of a provider have the words of the rules")
  func states() {
    #expect(
      ProviderState.allCases.map(\.description) == ["off-empty", "off-with-data", "loading", "on", "unavailable"])
  }

  @Test("a match has a bit for each family")
  func matches() {
    let both: DirectoryMatch = [.blocked, .identified]
    #expect(both.rawValue == 3)
    #expect(both.contains(.blocked) && both.contains(.identified) && !DirectoryMatch.blocked.contains(.identified))
  }
}
