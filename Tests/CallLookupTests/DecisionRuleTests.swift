import CallDirectory
import CallLookup
import TestSupport
import Testing

@Suite struct DecisionRuleTests {
  private let number = PhoneNumber(74_951_234_567)
  private var caller: LookupCandidates { LookupCandidates(blocking: [number], identification: [number]) }

  private var example: World {
    World(
      ReferencePhone([
        .init(id("moscow-spb"), labels: [number: ["Sber"]]), .init(id("russia"), labels: [number: ["Sber of Russia"]]),
        .init(id("spam"), blocked: [number]), .init(id("abroad"), isOn: false),
      ]))
  }

  @Test("the trace of a blocked number reads as the design shows it")
  func designExample() {
    let decision = example.resolver.resolve(caller)
    #expect(decision.kind == .blocked)
    #expect(decision.blockedBy == id("spam"))
    #expect(decision.label == "Sber")
    #expect(decision.labelFrom == id("moscow-spb"))
    #expect(
      decision.providers.map(\.outcome) == ["shown if it were not blocked", "shadowed by moscow-spb", "decides", "off"])
    #expect(decision.providers.map(\.position) == [1, 2, 3, 4])
  }

  @Test("SEMANTICS case 9, B-088, R-WIN-5: swapping the order swaps the label and changes no block")
  func swap() throws {
    var phone = example.phone
    phone.providers.removeAll { $0.id == id("spam") }
    let free = World(phone).resolver
    #expect(free.resolve(caller).label == "Sber")
    #expect(try #require(free.reordered(first: [id("russia")])).resolve(caller).label == "Sber of Russia")
    for order in example.phone.providers.map(\.id).permutations {
      let decision = try #require(example.resolver.reordered(first: order)).resolve(caller)
      #expect(decision.kind == .blocked)
      #expect(decision.blockedBy == id("spam"))
    }
  }

  @Test("R-WIN-2: of two blockers the first in settings order is named, the other blocks too")
  func twoBlockers() throws {
    let phone = ReferencePhone([.init(id("a"), blocked: [number]), .init(id("b"), blocked: [number])])
    let resolver = World(phone).resolver
    #expect(resolver.resolve(caller).blockedBy == id("a"))
    #expect(resolver.resolve(caller).providers.map(\.outcome) == ["decides", "blocks too, a is named"])
    #expect(try #require(resolver.reordered(first: [id("b")])).resolve(caller).blockedBy == id("b"))
  }

  @Test("B-087, SEMANTICS case 10: a provider that is off is not heard, and the trace shows what is lost")
  func off() throws {
    let without = try #require(example.resolver.without([id("moscow-spb"), id("spam")]))
    let decision = without.resolve(caller)
    #expect(decision.kind == .identified)
    #expect(decision.label == "Sber of Russia")
    #expect(decision.providers.map(\.outcome) == ["off: has a label", "shown", "off: would block", "off"])
    #expect(decision.providers[0].state == .offWithData)
    #expect(example.resolver.resolve(caller).kind == .blocked)
  }

  @Test(
    "R-LIFE-1: only a provider that is on is heard",
    arguments: [
      (ProviderState.offEmpty, "off: would block, has a label"), (.offWithData, "off: would block, has a label"),
      (.loading, "loading: would block, has a label"), (.unavailable, "unavailable: would block, has a label"),
    ])
  func otherStates(state: ProviderState, outcome: String) {
    let provider = InstalledProvider(
      id: id("a"), title: "A", state: state,
      directory: ReferenceDirectory(blocked: [number], labels: [number: ["x"]]))
    let resolver = CallResolver(providers: [provider])
    #expect(resolver.resolve(caller).kind == .unknown)
    #expect(resolver.resolve(caller).providers.map(\.outcome) == [outcome])
    #expect(resolver.briefly(caller) == .init("unknown"))
  }

  @Test("B-093: a provider that is on and empty is shown as on, with nothing to say")
  func empty() {
    let resolver = CallResolver(providers: [InstalledProvider(id: id("a"), title: "A", state: .on, directory: nil)])
    #expect(resolver.resolve(caller).kind == .unknown)
    #expect(resolver.resolve(caller).providers.map(\.outcome) == ["nothing"])
    #expect(resolver.resolve(caller).providers.map(\.state) == [.on])
  }

  @Test(
    "R-WIN-3: contacts are exempt from blocks in profile ios18, not in ios10, unless the plan says otherwise",
    arguments: [
      (PhoneProfile.Name.ios18, nil, true, "contacts are exempt from blocks (profile ios18)"),
      (.ios10, nil, false, "blocks reach contacts too (profile ios10)"),
      (.ios18, false, false, "blocks reach contacts too (contactsOverrideBlocks in the plan)"),
      (.ios10, true, true, "contacts are exempt from blocks (contactsOverrideBlocks in the plan)"),
    ] as [(PhoneProfile.Name, Bool?, Bool, String)])
  func contacts(profile: PhoneProfile.Name, override: Bool?, exempt: Bool, text: String) {
    let resolver = CallResolver(
      providers: example.resolver.providers, contacts: ReferenceDirectory(labels: [number: ["Anna"]]),
      contactRule: ContactRule(profile: PhoneProfile(profile), contactsOverrideBlocks: override))
    let decision = resolver.resolve(caller)
    #expect(decision.kind == (exempt ? .contact : .blocked))
    #expect(decision.blockedBy == (exempt ? nil : id("spam")))
    #expect(decision.label == "Anna")
    #expect(decision.labelFrom == nil)
    #expect(decision.contactRule?.description == text)
    #expect(
      decision.providers.map(\.outcome) == [
        "shadowed by the contact", "shadowed by the contact", exempt ? "contact exempt" : "decides", "off",
      ])
    #expect(resolver.briefly(caller) == decision.brief)
  }

  @Test("R-WIN-3: the rule on contacts is named only where it was used")
  func contactRuleUnused() {
    let contacts = ReferenceDirectory(labels: [number: ["Anna"]])
    let resolver = CallResolver(providers: [], contacts: contacts)
    #expect(resolver.resolve(caller).contactRule == nil)
    #expect(resolver.resolve(caller).kind == .contact)
    #expect(example.resolver.resolve(caller).contactRule == nil)
  }

  @Test(
    "R-ENT-4: one line of a label is shown, all of it is kept",
    arguments: [("one\ntwo", "one"), ("one\r\ntwo", "one"), ("one\rtwo", "one"), ("one", "one"), ("\ntwo", "")])
  func firstLine(label: String, shown: String) {
    let resolver = World(ReferencePhone([.init(id("a"), labels: [number: [label]])])).resolver
    #expect(resolver.resolve(caller).label == shown)
    #expect(resolver.resolve(caller).providers[0].labels == [label])
    #expect(resolver.briefly(caller).label == shown)
  }

  @Test("R-INC-5: of several labels of one number the most recent is shown and all are listed")
  func repeats() {
    let resolver = World(ReferencePhone([.init(id("a"), labels: [number: ["new", "old"]])])).resolver
    #expect(resolver.resolve(caller).label == "new")
    #expect(resolver.resolve(caller).providers[0].labels == ["new", "old"])
  }

  @Test(
    "R-MAT-4: a hit on any candidate counts, and only an equal number is a hit",
    arguments: [
      ([74_951_234_567], [], "blocked"), ([112, 74_951_234_567], [], "blocked"), ([], [74_951_234_567], "identified"),
      ([], [112, 74_951_234_567], "identified"), ([7_495_123_456], [7_495_123_456], "unknown"),
      ([4_951_234_567], [4_951_234_567], "unknown"), ([749_512_345_670], [749_512_345_670], "unknown"),
      ([], [], "unknown"),
    ] as [([Int64], [Int64], String)])
  func candidates(blocking: [Int64], identification: [Int64], kind: String) {
    let resolver = World(ReferencePhone([.init(id("a"), blocked: [number], labels: [number: ["x"]])])).resolver
    let caller = LookupCandidates(
      blocking: blocking.map { PhoneNumber($0) }, identification: identification.map { PhoneNumber($0) })
    #expect(resolver.resolve(caller).kind.rawValue == kind)
    #expect(resolver.briefly(caller).kind == kind)
  }

  @Test("R-WIN-1: settings order comes before the order of candidates")
  func providerBeforeCandidate() {
    let short = PhoneNumber(4_951_234_567)
    let phone = ReferencePhone([.init(id("a"), labels: [short: ["of a"]]), .init(id("b"), labels: [number: ["of b"]])])
    let caller = LookupCandidates(blocking: [], identification: [number, short])
    #expect(World(phone).resolver.resolve(caller).label == "of a")
    #expect(World(phone).resolver.briefly(caller).label == "of a")
  }

  @Test("B-086: a what-if that names an unknown or repeated provider is refused")
  func badWhatIf() {
    #expect(example.resolver.reordered(first: [id("nobody")]) == nil)
    #expect(example.resolver.reordered(first: [id("spam"), id("spam")]) == nil)
    #expect(example.resolver.without([id("nobody")]) == nil)
    #expect(
      example.resolver.reordered(first: [id("spam")])?.providers.map(\.id.rawValue) == [
        "spam", "moscow-spb", "russia", "abroad",
      ])
  }
}
