import CallDirectory
import CallLookup
import TestSupport

/// A reference phone and the resolver over the same lists.
struct World {
  var phone: ReferencePhone
  var titles: [ProviderID: String] = [:]

  var resolver: CallResolver {
    CallResolver(
      providers: phone.providers.map {
        InstalledProvider(
          id: $0.id, title: titles[$0.id] ?? $0.id.rawValue, state: $0.isOn ? .on : .offWithData,
          directory: ReferenceDirectory($0))
      },
      contacts: phone.contacts.isEmpty
        ? nil : ReferenceDirectory(labels: phone.contacts.mapValues { [$0] }),
      contactRule: ContactRule(
        profile: PhoneProfile(.ios18), contactsOverrideBlocks: phone.contactsOverrideBlocks))
  }

  init(_ phone: ReferencePhone) { self.phone = phone }

  /// Up to `providers` providers over few numbers, so that they overlap often.
  init(seed: UInt64, providers: Int) {
    var random = SeededGenerator(seed: seed)
    let lists = (0..<providers).map { index -> ReferencePhone.Provider in
      var provider = ReferencePhone.Provider(id("p\(index)"))
      for number in World.numbers {
        if Int.random(in: 0..<4, using: &random) == 0 { provider.blocked.insert(number) }
        if Int.random(in: 0..<2, using: &random) == 0 {
          let endings = ["", "\nsecond line", "\r\nsecond line", "\rx"]
          let labels = (0..<Int.random(in: 1...2, using: &random)).map {
            "label \($0) of \(index)" + (endings.randomElement(using: &random) ?? "")
          }
          provider.labels[number] = labels
        }
      }
      return provider
    }
    var contacts: [PhoneNumber: String] = [:]
    for number in World.numbers where Int.random(in: 0..<5, using: &random) == 0 {
      contacts[number] = "contact \(number)"
    }
    phone = ReferencePhone(lists, contacts: contacts, contactsOverrideBlocks: Bool.random(using: &random))
  }

  static let numbers = [112, 4_951_234_567, 74_951_234_567, 74_951_234_568].map { PhoneNumber($0) }

  /// Every caller with one or two candidates per family.
  static let callers: [LookupCandidates] = {
    let choices = numbers.subsets.filter { $0.count <= 2 }
    return choices.flatMap { blocking in
      choices.map { LookupCandidates(blocking: blocking, identification: Array($0.reversed())) }
    }
  }()
}

/// An id that the test knows to be valid.
func id(_ text: String) -> ProviderID {
  guard let id = ProviderID(text) else { preconditionFailure("\(text) is no provider id") }
  return id
}

extension CallDecision {
  /// The part that the reference phone decides too.
  var brief: ReferencePhone.Decision {
    .init(kind.rawValue, blockedBy: blockedBy, label: label, labelFrom: labelFrom)
  }
}

extension CallResolver {
  /// `resolveBriefly`, in the reference phone's terms.
  func briefly(_ caller: LookupCandidates) -> ReferencePhone.Decision {
    resolveBriefly(caller) { decision, label in
      .init(
        decision.kind.rawValue, blockedBy: decision.blocker.map { providers[$0].id },
        label: label.map { String(decoding: $0, as: UTF8.self) }, labelFrom: decision.labeller.map { providers[$0].id })
    }
  }
}
