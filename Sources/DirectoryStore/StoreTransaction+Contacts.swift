public import CallDirectory
internal import Digests
internal import ShardFormat
internal import ShardWriting
internal import SystemSupport

/// One contact of the phone.
public struct StoredContact: Hashable, Sendable {
  /// The number.
  public var number: PhoneNumber
  /// The name; empty when the contact has none, and the number is shown then.
  public var name: String

  /// A contact with the given fields.
  public init(number: PhoneNumber, name: String) {
    self.number = number
    self.name = name
  }
}

extension StoreTransaction {
  /// Replaces the phone's contacts. Of several with one number the first counts; numbers below 1 match no caller and are
  /// left out. They are kept as a shard, so that opening them for a look-up takes constant time.
  public func setContacts(_ contacts: [StoredContact]) throws(StoreError) {
    var named: [PhoneNumber: String] = [:]
    for contact in contacts where contact.number.rawValue > 0 && named[contact.number] == nil {
      named[contact.number] = contact.name.isEmpty ? contact.number.description : contact.name
    }
    let sorted = named.sorted { $0.key < $1.key }
    guard !sorted.isEmpty else {
      contents.contactsFile = nil
      return
    }
    let (name, path) = stageFile(for: "contacts")
    let present = contents.contactsFile
    let digests = try store.wrapping {
      var options = ShardWriter.Options()
      options.isDurable = false
      let writer = try ShardWriter(path, options: options)
      for (number, text) in sorted {
        try Self.withLabelBytes(text) { label in
          try writer.append(DirectoryEntry(number: number, isBlocked: false, label: label))
        }
      }
      return try writer.finish().contentDigests
    }
    // Equal contacts keep their file, so that applying a plan again changes nothing.
    if let present, let shard = try? Shard(Path.join(store.generationsFolder, present)), shard.contentDigests == digests
    {
      return
    }
    contents.contactsFile = name
  }

  /// The text's UTF-8, cut between characters to the length of a label.
  private static func withLabelBytes(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    var text = text
    while text.utf8.count > CallLabel.maximumBytes {
      text.removeLast(max(1, (text.utf8.count - CallLabel.maximumBytes) / 32))
    }
    try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
  }
}
