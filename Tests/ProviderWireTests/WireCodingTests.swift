import CallDirectory
import ProviderWire
import TestSupport
import Testing

/// Cuts `stream` into frames, handing it over in pieces of `piece` bytes, and calls `body` with each frame.
func forEachFrame(_ stream: [UInt8], piece: Int = .max, _ body: (Frame) throws -> Void) throws {
  var decoder = FrameDecoder()
  var rest = stream[...]
  while true {
    while let frame = try decoder.next() { try body(frame) }
    guard !rest.isEmpty else { break }
    let space = decoder.freeSpace
    let count = min(piece, space.count, rest.count)
    space.copyBytes(from: rest.prefix(count))
    decoder.advance(by: count)
    rest = rest.dropFirst(count)
  }
  try decoder.finish()
}

/// What a message says, in words to compare.
func words(_ frame: Frame) throws -> String {
  guard frame.kind.rawValue < 64 else { return "\(try HostMessage(frame))" }
  guard case .entries(var records) = try ProviderMessage(frame) else { return "\(try ProviderMessage(frame))" }
  var words = "entries \(records.family) \(records.count):"
  while let record = try records.next() {
    words +=
      " \(record.number.rawValue)=\(record.isOverlong ? "overlong" : String(decoding: record.label, as: UTF8.self))"
  }
  return words
}

private func childMessages() -> [ProviderMessage] {
  [
    .hello(version: 7), .descriptor(ProviderDescriptor(identifier: "a.b", version: "1", title: "Ж", abiMinor: 3)),
    .layer(ConfinementLayer(name: "landlock", state: .unavailable, detail: "ENOSYS")),
    .flush(.blocking, count: 10_000), .flush(.identification, count: 1), .log(.warning, "tab\there"), .log(.debug, ""),
    .providerError(domain: "com.example", code: -42, message: "no"), .progress(completed: 5, total: .max),
    .overMemory(peak: 13_000_000, limit: 12_000_000), .runtimeFailure("why"),
    .final(
      FinalRecord(
        status: .duplicateEntries, blocking: 1, identification: 2, refusedAdds: 3, baselineMemory: 4, peakMemory: .max)),
  ] + ProviderStage.allCases.map { .stage($0) } + LibraryRefusal.allCases.map { .refusal($0, text: "because") }
}

private func configuration() -> LoadConfiguration {
  var configuration = LoadConfiguration(
    libraryPath: "/plugins/libA.so", providerID: "a", entryLimit: 1_999_999, parentProcess: 4711)
  configuration.title = "Москва"
  configuration.containerPath = "/c"
  configuration.shardPath = "/s"
  configuration.optionsJSON = #"{"file":"x"}"#
  configuration.hostVersion = "0.1"
  configuration.flushEntries = 5_000
  configuration.memoryLimit = 6_000_000
  configuration.resourceLimits = .init(stopsReservedMemory: false, cpuSeconds: 1, openFiles: 2, fileBytes: 3)
  configuration.isSandboxStrict = true
  return configuration
}

private let hostMessages: [HostMessage] = [
  .configuration(configuration()), .verdict(.ok), .verdict(.maximumEntriesExceeded), .cancel,
]

private func everyFrame() throws -> [[UInt8]] {
  var blocking = EntryFrame(.blocking)
  for number: Int64 in [1, .max, .min] {
    let isAppended = blocking.append(number)
    #expect(isAppended)
  }
  var identification = EntryFrame(.identification)
  for (number, label) in [(Int64(74_951_234_567), "Пицца"), (5, ""), (-1, "x")] {
    let isAppended = Array(label.utf8).withUnsafeBytes { identification.append(number, label: $0) }
    #expect(isAppended)
  }
  return try childMessages().map { try $0.encoded() } + hostMessages.map { try $0.encoded() } + [
    Array(blocking.sealed()), Array(identification.sealed()),
  ]
}

@Suite struct WireCodingTests {
  @Test func everyMessageComesBackAsItWas() throws {
    let expected =
      childMessages().map { "\($0)" } + hostMessages.map { "\($0)" } + [
        "entries blocking 3: 1= 9223372036854775807= -9223372036854775808=",
        "entries identification 3: 74951234567=Пицца 5= -1=x",
      ]
    var found: [String] = []
    try forEachFrame(everyFrame().flatMap(\.self)) { found.append(try words($0)) }
    #expect(found == expected)
  }

  @Test(arguments: [1, 2, 3, 7, 8, 9, 1_000]) func aStreamMayBeSplitAnywhere(piece: Int) throws {
    let stream = try everyFrame().flatMap(\.self)
    var whole: [String] = []
    var split: [String] = []
    try forEachFrame(stream) { whole.append("\($0.offset) \(try words($0))") }
    try forEachFrame(stream, piece: piece) { split.append("\($0.offset) \(try words($0))") }
    #expect(split == whole)
  }

  @Test func theConfigurationKeepsEveryField() throws {
    try forEachFrame(HostMessage.configuration(configuration()).encoded()) {
      guard case .configuration(let decoded) = try HostMessage($0) else {
        Issue.record("not a configuration")
        return
      }
      #expect(decoded == configuration())
    }
  }

  @Test func longFramesThatFillTheBufferArriveWhole() throws {
    // Frames of many sizes up to the longest, so that the decoder has to move what it holds.
    var generator = SeededGenerator(seed: 11)
    var stream: [UInt8] = []
    var sizes: [Int] = []
    for _ in 0..<24 {
      var frame = EntryFrame(.identification)
      let label = [UInt8](repeating: 0x61, count: Int.random(in: 1...CallLabel.maximumBytes, using: &generator))
      while label.withUnsafeBytes({ frame.append(7, label: $0) }) {}
      sizes.append(frame.count * label.count)
      stream += Array(frame.sealed())
    }
    var found: [Int] = []
    try forEachFrame(stream, piece: 40_000) { frame in
      guard case .entries(var records) = try ProviderMessage(frame) else { return }
      var size = 0
      while let record = try records.next() { size += record.label.count }
      found.append(size)
    }
    #expect(found == sizes)
  }

  @Test("R-ENT-3: a label of 65,534 bytes travels, a longer one is noted without its bytes")
  func longLabels() throws {
    for (length, expected) in [(65_534, "65534 false"), (65_535, "0 true"), (200_000, "0 true")] {
      var frame = EntryFrame(.identification)
      let isAppended = [UInt8](repeating: 0x61, count: length).withUnsafeBytes { frame.append(1, label: $0) }
      #expect(isAppended)
      try forEachFrame(Array(frame.sealed())) {
        var records = try EntryRecords($0)
        let record = try #require(try records.next())
        #expect("\(record.label.count) \(record.isOverlong)" == expected)
        #expect(try records.next() == nil)
      }
    }
  }

  @Test func aFullFrameRefusesTheNextRecordAndKeepsWhatItHas() {
    var frame = EntryFrame(.blocking)
    while frame.append(9) {}
    let (full, size) = (frame.count, frame.sealed().count)
    #expect(full == (Frame.maximumPayload - EntryRecords.headerBytes) / 8)
    #expect(size <= Frame.headerBytes + Frame.maximumPayload)
    frame.reset()
    let count = frame.count
    let isAppended = frame.append(1)
    #expect(count == 0 && isAppended)
  }

  @Test func aLongTextIsCutAtACharacter() throws {
    let text = "a" + String(repeating: "Ж", count: 3_000)
    try forEachFrame(ProviderMessage.log(.info, text).encoded()) {
      guard case .log(_, let found) = try ProviderMessage($0) else { return }
      #expect(found == text.prefix(1 + (Frame.maximumText - 1) / 2))
    }
  }

  @Test func aConfigurationThatDoesNotFitIsRefusedAndNotCut() {
    var configuration = configuration()
    configuration.optionsJSON = String(repeating: " ", count: Frame.maximumPayload)
    #expect(throws: WireError.self) { try HostMessage.configuration(configuration).encoded() }
  }
}

@Suite struct WireDamageTests {
  @Test func everyTruncationOfAPayloadIsATypedError() throws {
    for frame in try everyFrame() where frame.count > Frame.headerBytes {
      for length in Frame.headerBytes..<frame.count {
        // Shorter payload, honest header: the fields must notice.
        var short = Array(frame[..<length])
        short[4] = UInt8((length - 8) & 0xFF)
        short[5] = UInt8((length - 8) >> 8 & 0xFF)
        short[6] = 0
        #expect(throws: WireError.self, "kind \(frame[0]) cut to \(length)") {
          try forEachFrame(short) { _ = try words($0) }
        }
        // Whole header, missing bytes: the end of the stream must notice.
        #expect(throws: WireError.self) { try forEachFrame(Array(frame[..<length])) { _ = try words($0) } }
      }
    }
  }

  @Test func bytesBehindTheLastFieldAreAnError() throws {
    for frame in try everyFrame() {
      var long = frame + [0]
      long[4] &+= 1
      guard long[4] != 0 else { continue }
      #expect(throws: WireError.self, "kind \(frame[0])") { try forEachFrame(long) { _ = try words($0) } }
    }
  }

  @Test(
    "headers that mean nothing are refused at once",
    arguments: [
      ([0, 0, 0, 0, 0, 0, 0, 0], WireError.Code.unknownKind), ([14, 0, 0, 0, 0, 0, 0, 0], .unknownKind),
      ([255, 0, 0, 0, 0, 0, 0, 0], .unknownKind), ([1, 1, 0, 0, 0, 0, 0, 0], .reservedNotZero),
      ([1, 0, 0, 9, 0, 0, 0, 0], .reservedNotZero), ([1, 0, 0, 0, 1, 0, 2, 0], .tooLong),
      ([6, 0, 0, 0, 255, 255, 255, 255], .tooLong), ([1, 0, 0], .truncated),
    ] as [([UInt8], WireError.Code)])
  func badHeaders(bytes: [UInt8], code: WireError.Code) {
    let error = #expect(throws: WireError.self) { try forEachFrame(bytes) { _ in } }
    #expect(error?.code == code)
  }

  @Test func aMessageOfTheOtherDirectionIsRefused() throws {
    for message in childMessages() {
      try forEachFrame(message.encoded()) { frame in #expect(throws: WireError.self) { try HostMessage(frame) } }
    }
    for message in hostMessages {
      try forEachFrame(message.encoded()) { frame in #expect(throws: WireError.self) { try ProviderMessage(frame) } }
    }
  }

  @Test(
    "payloads with values out of range are refused",
    arguments: [
      (6, [2, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 1, count: 8)),  // family 2
      (6, [0, 0, 1, 0, 1, 0, 0, 0] + [UInt8](repeating: 1, count: 8)),  // reserved byte
      (6, [0, 0, 0, 0, 0, 0, 0, 0]),  // no records
      (6, [0, 0, 0, 0, 255, 255, 255, 255] + [UInt8](repeating: 1, count: 8)),  // more records than bytes
      (6, [1, 0, 0, 0, 1, 0, 0, 0] + [UInt8](repeating: 1, count: 8) + [9, 0, 1]),  // label beyond the end
      (2, [0]), (2, [8]), (5, [0, 0, 0, 0, 0]), (7, [0, 0, 0, 0, 0]), (7, [2, 1, 0, 0, 0]), (8, [4, 0, 0, 0, 0]),
      (8, [0, 1, 16, 0, 0]),  // a text over the limit
      (11, [UInt8](repeating: 255, count: 16)),
    ] as [(UInt8, [UInt8])])
  func badValues(kind: UInt8, payload: [UInt8]) {
    #expect(throws: WireError.self) {
      try forEachFrame([kind, 0, 0, 0, UInt8(payload.count), 0, 0, 0] + payload) { _ = try words($0) }
    }
  }

  @Test func randomDamageNeverTraps() throws {
    let frames = try everyFrame()
    var errors = 0
    for seed in UInt64(0)..<3_000 {
      var generator = SeededGenerator(seed: seed)
      var bytes = frames.flatMap(\.self)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      do { try forEachFrame(bytes, piece: 97) { _ = try words($0) } } catch is WireError { errors += 1 }
    }
    #expect(errors > 1_000)
  }
}
