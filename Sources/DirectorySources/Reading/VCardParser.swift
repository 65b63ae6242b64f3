/// Finds the cards and their properties in the bytes of a chunk and hands each card to a `RowIntake`: one row with a
/// number per telephone property. No allocation per card once its buffers have the size that the cards of a file need.
///
/// Whatever is no whole card is a refused row: a card that is not closed before the next one begins (so of nested ones
/// the outer one, and what is left of it behind the inner one), and text between cards. Over 400 lines because lines, folds,
/// parameters and values are read in one pass over shared scratch, and what is refused depends on all of them.
struct VCardParser: ~Copyable {
  /// Properties of the card that are looked at.
  private var values: UnsafeMutablePointer<VCardValue>
  private var valueCapacity = 16
  private var valueCount = 0
  /// One per field of a row: what it becomes where it cannot be used as it stands.
  private var fieldScratch: [ChunkBuffer] = []
  private let unfoldScratch = ChunkBuffer()
  private let convertedScratch = ChunkBuffer()
  private let converters = CardConverters()
  /// The numbers of the card, and the texts of those that cannot be used as they stand.
  private var numbers: [FieldSpan] = []
  private let numberScratch = ChunkBuffer()
  private var isVersion21 = false

  init() { values = .allocate(capacity: valueCapacity) }

  deinit { values.deallocate() }

  /// What the lines that come belong to.
  private enum State {
    case between
    case text
    case card
  }

  /// The property whose lines are being passed.
  private struct Property {
    /// Position of its value among `values`; nil when nobody asks for it.
    var value: Int?
    /// Where a line begins that is folded before its colon, or is no property at all.
    var head: UnsafeRawPointer?
    /// How far `head` has been searched for its colon, and whether a quote is open there.
    var searched: UnsafeRawPointer?
    var isQuoted = false
    var line = 0
    /// A line that begins with a blank continues it.
    var isOpen = false
    /// Its last line ends in a soft break.
    var isBroken = false
    var isQuotedPrintable = false
    var isBase64 = false
  }

  /// Parses the cards from `start` to `end`, which stands behind a line end. Returns the lines. O(bytes).
  mutating func parse(
    _ start: UnsafeRawPointer, _ end: UnsafeRawPointer, _ syntax: VCardSyntax, fields: UnsafeMutablePointer<FieldSpan>,
    into intake: inout RowIntake
  ) throws(ReadingFailure) -> Int {
    while fieldScratch.count < syntax.fields.count { fieldScratch.append(ChunkBuffer()) }
    let bytes = UnsafeRawBufferPointer(start: start, count: end - start)
    var state = State.between
    var row = start
    var rowEnd = start
    var rowLine = 0
    var property = Property()
    var line = 0
    var position = 0
    while position < bytes.count, let stop = ByteSearch.first(syntax.lineEnd.byte, in: bytes, from: position) {
      let lineStart = start + position
      var lineStop = start + stop
      if syntax.lineEnd == .lineFeed, stop > position, bytes[stop - 1] == Byte.carriageReturn { lineStop -= 1 }
      position = stop + 1
      switch VCardSyntax.marks(lineStart, lineStop) {
      case .begin:
        try refuseRest(state, row, rowEnd, line: rowLine, into: &intake)
        state = .card
        (row, rowLine) = (lineStart, line)
        valueCount = 0
        isVersion21 = false
        property = Property()
      case .end:
        if state == .card {
          dropStray(&property, before: lineStart)
          let text = UnsafeRawBufferPointer(start: row, count: lineStop - row)
          try finish(text, line: rowLine, syntax, fields: fields, into: &intake)
        } else {
          if state == .between { (row, rowLine) = (lineStart, line) }
          try refuseRest(.text, row, lineStop, line: rowLine, into: &intake)
        }
        state = .between
      case .none where state == .card:
        try parseLine(lineStart, lineStop, line: line, syntax, &property, intake)
      case .none:
        if LabelText.trimmed(UnsafeRawBufferPointer(start: lineStart, count: lineStop - lineStart)).isEmpty { break }
        if state == .between { (state, row, rowLine) = (.text, lineStart, line) }
      }
      rowEnd = lineStop
      line += 1
    }
    try refuseRest(state, row, rowEnd, line: rowLine, into: &intake)
    return line
  }

  private func refuseRest(
    _ state: State, _ row: UnsafeRawPointer, _ end: UnsafeRawPointer, line: Int, into intake: inout RowIntake
  ) throws(ReadingFailure) {
    if state == .between { return }
    let text = UnsafeRawBufferPointer(start: row, count: end - row)
    try intake.refuse(state == .card ? .cardNotClosed : .textOutsideCard, row: text, line: line)
  }

  // MARK: Lines

  /// Takes in a line of a card: a property, or what continues the one before.
  private mutating func parseLine(
    _ start: UnsafeRawPointer, _ stop: UnsafeRawPointer, line: Int, _ syntax: VCardSyntax, _ property: inout Property,
    _ intake: borrowing RowIntake
  ) throws(ReadingFailure) {
    let text = UnsafeRawBufferPointer(start: start, count: stop - start)
    let isIndented = text.first.map { $0 == Byte.space || $0 == Byte.tab } ?? false
    if property.isBroken || isIndented && property.isOpen {
      if let head = property.head {
        try parseHead(head, stop, line: property.line, syntax, &property, intake)
        return
      }
      if let value = property.value {
        values[value].end = stop
        values[value].isFolded = true
      }
      property.isBroken = property.isQuotedPrintable && text.last == 0x3D
      return
    }
    dropStray(&property, before: start)
    guard !LabelText.trimmed(text).isEmpty else {
      property = Property()
      return
    }
    // Some writers of base64 do not indent its lines.
    if property.isBase64, !text.contains(0x3A) { return }
    try parseHead(start, stop, line: line, syntax, &property, intake)
  }

  /// Takes in the first line of a property, or the first ones where it is folded before its colon.
  private mutating func parseHead(
    _ start: UnsafeRawPointer, _ stop: UnsafeRawPointer, line: Int, _ syntax: VCardSyntax, _ property: inout Property,
    _ intake: borrowing RowIntake
  ) throws(ReadingFailure) {
    let text = UnsafeRawBufferPointer(start: start, count: stop - start)
    let isFolded = property.head != nil
    // Only the new line is searched: a property may be folded as often as its card has bytes.
    var isQuoted = property.isQuoted
    let colon = Self.colon(in: text, from: property.searched.map { $0 - start } ?? 0, &isQuoted)
    property = Property(line: line, isOpen: true)
    guard let colon else {
      property.head = start
      property.searched = stop
      property.isQuoted = isQuoted
      return
    }
    var head = UnsafeRawBufferPointer(rebasing: text[..<colon])
    if isFolded {
      let target = try intake.room(head.count, in: unfoldScratch)
      let count = VCardText.unfold(
        head, lineEnd: syntax.lineEnd, isQuotedPrintable: false, keepsBlank: false, to: target)
      head = UnsafeRawBufferPointer(rebasing: target[..<count])
    }
    let name = Self.name(in: head)
    if VCardText.isName(name, "VERSION") {
      let version = LabelText.trimmed(UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]))
      isVersion21 = VCardText.isName(version, "2.1")
    }
    let place = syntax.properties.firstIndex { Self.isEqual(name, $0) }
    var value = VCardValue(
      property: place ?? VCardValue.stray, line: line, row: start, start: start + colon + 1, end: stop)
    property.isBase64 = Self.readParameters(head, into: &value)
    property.isQuotedPrintable = value.isQuotedPrintable
    property.isBroken = value.isQuotedPrintable && text.last == 0x3D
    if place == nil { return }
    property.value = valueCount
    append(value)
  }

  /// A line that is no property, with what seemed to continue it.
  private mutating func dropStray(_ property: inout Property, before next: UnsafeRawPointer) {
    guard let head = property.head else { return }
    append(VCardValue(property: VCardValue.stray, line: property.line, row: head, start: head, end: next))
    property = Property()
  }

  private mutating func append(_ value: VCardValue) {
    if valueCount == valueCapacity {
      let larger = UnsafeMutablePointer<VCardValue>.allocate(capacity: 2 * valueCapacity)
      larger.moveInitialize(from: values, count: valueCount)
      values.deallocate()
      values = larger
      valueCapacity *= 2
    }
    (values + valueCount).initialize(to: value)
    valueCount += 1
  }

  /// The colon between a property's parameters and its value: the first one outside quotes; where a quote does not close,
  /// the first one. There is none before `start`, where a quote is open as `isQuoted` says.
  private static func colon(
    in text: UnsafeRawBufferPointer, from start: Int, _ isQuoted: inout Bool
  ) -> Int? {
    var first: Int?
    for index in start..<text.count {
      let byte = text[index]
      if byte == Byte.quote { isQuoted.toggle() }
      guard byte == 0x3A else { continue }
      if !isQuoted { return index }
      first = first ?? index
    }
    return first
  }

  /// The name of a property without the group before it: `TEL` of `item1.TEL;type=pref`.
  private static func name(in head: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = ByteSearch.first(Byte.semicolon, in: head, from: 0) ?? head.count
    let whole = UnsafeRawBufferPointer(rebasing: head[..<end])
    let start = whole.lastIndex(of: 0x2E).map { $0 + 1 } ?? 0
    return LabelText.trimmed(UnsafeRawBufferPointer(rebasing: whole[start...]))
  }

  private static func isEqual(_ text: UnsafeRawBufferPointer, _ name: [UInt8]) -> Bool {
    guard text.count == name.count else { return false }
    for index in 0..<text.count where VCardText.capital(text[index]) != name[index] { return false }
    return true
  }

  // MARK: Parameters

  /// Calls `body` with the name (empty for a bare one, as vCard 2.1 writes them) and the text of each parameter.
  @inline(__always)
  private static func forEachParameter(
    _ head: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) {
    guard var position = ByteSearch.first(Byte.semicolon, in: head, from: 0) else { return }
    while position < head.count {
      let start = position + 1
      position = start
      var isQuoted = false
      var equals: Int?
      while position < head.count, isQuoted || head[position] != Byte.semicolon {
        if head[position] == Byte.quote { isQuoted.toggle() }
        if head[position] == 0x3D, equals == nil { equals = position }
        position += 1
      }
      let name = UnsafeRawBufferPointer(rebasing: head[start..<(equals ?? start)])
      let text = UnsafeRawBufferPointer(rebasing: head[(equals.map { $0 + 1 } ?? start)..<position])
      body(LabelText.trimmed(name), unquoted(LabelText.trimmed(text)))
    }
  }

  private static func unquoted(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard text.count >= 2, text.first == Byte.quote, text.last == Byte.quote else { return text }
    return UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
  }

  /// Takes in what the parameters say about the text. Returns whether it is base64.
  private static func readParameters(_ head: UnsafeRawBufferPointer, into value: inout VCardValue) -> Bool {
    var isBase64 = false
    forEachParameter(head) { (name, text) in
      if VCardText.isName(name, "CHARSET") {
        value.charset = VCardText.charset(text)
      } else if name.isEmpty || VCardText.isName(name, "ENCODING") {
        if VCardText.isName(text, "QUOTED-PRINTABLE") {
          value.isQuotedPrintable = true
        } else if VCardText.isName(text, "BASE64") || VCardText.isName(text, "B") {
          isBase64 = true
        } else if !name.isEmpty, !VCardText.isName(text, "7BIT"), !VCardText.isName(text, "8BIT") {
          value.hasOtherEncoding = true
        }
      }
    }
    if isBase64 { value.hasOtherEncoding = true }
    return isBase64
  }

  // MARK: Cards

  /// Hands a closed card to the intake.
  private mutating func finish(
    _ row: UnsafeRawBufferPointer, line: Int, _ syntax: VCardSyntax, fields: UnsafeMutablePointer<FieldSpan>,
    into intake: inout RowIntake
  ) throws(ReadingFailure) {
    guard let start = row.baseAddress else { return }
    for place in 0..<valueCount where values[place].property == VCardValue.stray {
      intake.note(.lineOfCard, field: nil, raw: LabelText.trimmed(values[place].bytes), line: values[place].line)
    }
    for field in 0...syntax.fields.count { (fields + field).initialize(to: FieldSpan(start: start, end: start)) }
    do throws(CardFault) {
      for index in syntax.fields.indices {
        if let text = try text(ofField: index, syntax, intake) { fields[index + 1] = text }
      }
      try readNumbers(line: line, syntax, intake)
    } catch {
      switch error.cause {
      case .finding(let code):
        let value = values[error.value]
        let text = UnsafeRawBufferPointer(start: value.row, count: value.end - value.row)
        return try intake.refuse(code, row: text, of: row, line: value.line)
      case .failure(let failure): throw failure
      }
    }
    try numbers.withUnsafeBufferPointer { (numbers) throws(ReadingFailure) in
      try intake.accept(fields, count: syntax.fields.count + 1, numbers: numbers, row: row, line: line)
    }
  }

  /// The first alternative of a field that is not blank.
  private func text(
    ofField index: Int, _ syntax: VCardSyntax, _ intake: borrowing RowIntake
  ) throws(CardFault) -> FieldSpan? {
    for column in syntax.fields[index] {
      for place in 0..<valueCount where values[place].property == column.property {
        var text = try decode(place, syntax, intake)
        if mustWrite(text, column.part, of: values[place]) {
          let target = try room(2 * text.count, in: fieldScratch[index], for: place, intake)
          text = written(column.part, of: text, to: target)
        }
        text = LabelText.trimmed(text)
        if let start = text.baseAddress, !text.isEmpty { return FieldSpan(start: start, end: start + text.count) }
      }
    }
    return nil
  }

  /// Collects the numbers of the card.
  private mutating func readNumbers(
    line: Int, _ syntax: VCardSyntax, _ intake: borrowing RowIntake
  ) throws(CardFault) {
    numbers.removeAll(keepingCapacity: true)
    var needed = 0
    for place in 0..<valueCount where values[place].property == 0 {
      let growth = encoding(of: values[place], syntax) == nil ? 1 : CardConverters.growth
      needed += 2 * growth * values[place].bytes.count
    }
    let scratch = needed > 0 ? try room(needed, in: numberScratch, for: 0, intake) : numberScratch.bytes
    var used = 0
    for place in 0..<valueCount where values[place].property == 0 {
      let value = values[place]
      var text = try decode(place, syntax, intake)
      if mustWrite(text, .text, of: value) {
        text = written(.text, of: text, to: UnsafeMutableRawBufferPointer(rebasing: scratch[used...]))
        used += text.count
      }
      let start = text.baseAddress ?? value.start
      let lines = Int32(truncatingIfNeeded: value.line - line)
      numbers.append(FieldSpan(start: start, end: start + text.count, lines: lines))
    }
  }

  // MARK: Values

  /// Why a card cannot be used.
  private struct CardFault: Error {
    enum Cause {
      case finding(FindingCode)
      case failure(ReadingFailure)
    }

    /// Position of the value it is about.
    var value: Int
    var cause: Cause
  }

  /// A value as UTF-8, on one line and without its encoding: as it stands in the chunk where that is possible.
  private func decode(
    _ place: Int, _ syntax: VCardSyntax, _ intake: borrowing RowIntake
  ) throws(CardFault) -> UnsafeRawBufferPointer {
    let value = values[place]
    if value.hasOtherEncoding { throw CardFault(value: place, cause: .finding(.cardEncoding)) }
    var text = value.bytes
    if value.isFolded || value.isQuotedPrintable {
      let target = try room(text.count, in: unfoldScratch, for: place, intake)
      let written = VCardText.unfold(
        text, lineEnd: syntax.lineEnd, isQuotedPrintable: value.isQuotedPrintable, keepsBlank: isVersion21, to: target)
      text = UnsafeRawBufferPointer(rebasing: target[..<written])
    }
    // ASCII is the same in all character sets.
    if let encoding = encoding(of: value, syntax), text.contains(where: { $0 >= 0x80 }) {
      let byteCount = CardConverters.growth * text.count + CardConverters.leastRoom
      let target = try room(byteCount, in: convertedScratch, for: place, intake)
      guard let written = converters.convert(text, from: encoding, to: target) else {
        throw CardFault(value: place, cause: .finding(.cardCharset))
      }
      return UnsafeRawBufferPointer(rebasing: target[..<written])
    }
    guard case .invalid = LabelText.condition(of: text) else {
      let isOwn = value.isQuotedPrintable || !syntax.isConverted
      if isOwn, case .unread = value.charset, text.contains(where: { $0 >= 0x80 }) {
        throw CardFault(value: place, cause: .finding(.cardCharset))
      }
      return text
    }
    if case .unstated = value.charset, !value.isQuotedPrintable {
      let span = FieldSpan(start: value.start, end: value.end)
      throw CardFault(
        value: place, cause: .failure(intake.invalidText(span, offset: 0, column: value.property, line: value.line)))
    }
    throw CardFault(value: place, cause: .finding(.cardCharset))
  }

  /// The encoding of the bytes of a value, once they are decoded; nil when it is UTF-8, or none that is read. What is not
  /// quoted-printable was converted with its file, whatever it states.
  private func encoding(of value: VCardValue, _ syntax: VCardSyntax) -> TextEncoding? {
    if !value.isQuotedPrintable, syntax.isConverted { return nil }
    switch value.charset {
    case .other(let encoding): return encoding
    case .unstated: return value.isQuotedPrintable ? syntax.encoding : nil
    case .utf8, .unread: return nil
    }
  }

  /// Whether a decoded text is not what its row gets: it stands in memory that is used again, or a part or escapes of it
  /// do not count.
  private func mustWrite(_ text: UnsafeRawBufferPointer, _ part: VCardColumn.Part, of value: VCardValue) -> Bool {
    part != .text || text.baseAddress != value.start || ByteSearch.first(0x5C, in: text, from: 0) != nil
  }

  private func written(
    _ part: VCardColumn.Part, of text: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    let count = VCardText.write(part, of: text, keepsLineEscape: isVersion21, to: target)
    return UnsafeRawBufferPointer(rebasing: target[..<count])
  }

  private func room(
    _ count: Int, in scratch: ChunkBuffer, for place: Int, _ intake: borrowing RowIntake
  ) throws(CardFault) -> UnsafeMutableRawBufferPointer {
    do throws(ReadingFailure) {
      return try intake.room(count, in: scratch)
    } catch {
      throw CardFault(value: place, cause: .failure(error))
    }
  }
}
