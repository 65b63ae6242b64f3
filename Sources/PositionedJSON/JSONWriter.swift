/// Writes JSON into a byte buffer as it is called: the same calls give the same bytes.
///
/// Strings that are not valid UTF-8 get U+FFFD for each bad byte, so that the text is valid JSON whatever a provider
/// said. Requires: calls nest as JSON does (a key before each member of an object, every container ended); the debug
/// build asserts it.
public struct JSONWriter: Sendable {
  /// How the text is laid out.
  public enum Layout: Sendable {
    /// Without spaces, on one line.
    case compact
    /// Two spaces per level, one member or element per line; containers begun as `inline` stay on one line.
    case pretty
  }

  /// What has been written and not yet taken.
  public private(set) var bytes: [UInt8] = []

  private struct Container {
    var isObject: Bool
    var isInline: Bool
    var isEmpty = true
  }

  private let layout: Layout
  private var open: [Container] = []
  private var hasKey = false

  /// An empty text.
  public init(_ layout: Layout = .pretty) { self.layout = layout }

  // MARK: Containers

  /// `{`.
  public mutating func beginObject(inline: Bool = false) { begin(0x7B, isObject: true, inline: inline) }

  /// `}`.
  public mutating func endObject() { end(0x7D, isObject: true) }

  /// `[`.
  public mutating func beginArray(inline: Bool = false) { begin(0x5B, isObject: false, inline: inline) }

  /// `]`.
  public mutating func endArray() { end(0x5D, isObject: false) }

  /// The key of the next value.
  public mutating func key(_ key: String) {
    assert(open.last?.isObject == true && !hasKey, "a key stands in an object, before a value")
    separate()
    appendString(key)
    bytes.append(0x3A)
    if layout == .pretty { bytes.append(0x20) }
    hasKey = true
  }

  // MARK: Values

  /// A string.
  public mutating func string(_ text: String) {
    beginValue()
    appendString(text)
  }

  /// A string given as UTF-8 bytes.
  public mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
    beginValue()
    appendString(text)
  }

  /// A whole number.
  public mutating func int(_ number: some BinaryInteger) {
    beginValue()
    if let small = Int(exactly: number) { appendDecimal(small) } else { append(number.description) }
  }

  /// The shortest decimal that reads back as `number`; `null` when it is not finite.
  public mutating func double(_ number: Double) {
    beginValue()
    append(number.isFinite ? number.description : "null")
  }

  /// `number` rounded to 0 … 9 places behind the point, for seconds and shares; `null` when it cannot be written so.
  public mutating func double(_ number: Double, places: Int) {
    beginValue()
    let places = min(max(places, 0), 9)
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    guard let scaled = Int(exactly: (number.magnitude * Double(scale)).rounded()) else { return append("null") }
    if number < 0, scaled > 0 { bytes.append(0x2D) }
    appendDecimal(scaled / scale)
    guard places > 0 else { return }
    bytes.append(0x2E)
    let digits = String(scaled % scale)
    bytes.append(contentsOf: repeatElement(0x30, count: places - digits.utf8.count))
    append(digits)
  }

  /// `true` or `false`.
  public mutating func bool(_ value: Bool) {
    beginValue()
    append(value ? "true" : "false")
  }

  /// `null`.
  public mutating func null() {
    beginValue()
    append("null")
  }

  /// JSON text as it is. Requires: `json` is one valid value.
  public mutating func verbatim(_ json: some Sequence<UInt8>) {
    beginValue()
    bytes.append(contentsOf: json)
  }

  // MARK: Members

  /// A key with a string.
  public mutating func member(_ key: String, _ value: String) {
    self.key(key)
    string(value)
  }

  /// A key with a string, or with `null`.
  public mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  /// A key with a whole number.
  public mutating func member(_ key: String, _ value: some BinaryInteger) {
    self.key(key)
    int(value)
  }

  /// A key with a whole number, or with `null`.
  public mutating func member(_ key: String, _ value: Int?) {
    self.key(key)
    if let value { int(value) } else { null() }
  }

  /// A key with `true` or `false`.
  public mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  /// A key with a number rounded to 0 … 9 places behind the point.
  public mutating func member(_ key: String, _ value: Double, places: Int) {
    self.key(key)
    double(value, places: places)
  }

  /// A key with an array of strings on one line.
  public mutating func member(_ key: String, _ values: [String]) {
    self.key(key)
    beginArray(inline: true)
    for value in values { string(value) }
    endArray()
  }

  // MARK: Result

  /// What has been written since the last call, leaving the writer where it is in the text: for long output in pieces.
  public mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// The text with a line end behind it. Requires: every container is ended.
  public consuming func finish() -> [UInt8] {
    assert(open.isEmpty, "a container is not ended")
    bytes.append(0x0A)
    return bytes
  }

  // MARK: Layout

  private mutating func begin(_ bracket: UInt8, isObject: Bool, inline: Bool) {
    beginValue()
    bytes.append(bracket)
    open.append(Container(isObject: isObject, isInline: inline || open.last?.isInline == true))
  }

  private mutating func end(_ bracket: UInt8, isObject: Bool) {
    let container = open.popLast()
    assert(container?.isObject == isObject && !hasKey, "containers end in the reverse order, after a value")
    if layout == .pretty, let container, !container.isEmpty {
      if container.isInline {
        if isObject { bytes.append(0x20) }
      } else {
        newLine()
      }
    }
    bytes.append(bracket)
  }

  private mutating func beginValue() {
    if hasKey {
      hasKey = false
    } else {
      assert(open.last?.isObject != true, "a member of an object needs a key")
      separate()
    }
  }

  /// The comma and the space before a member or an element.
  private mutating func separate() {
    guard let container = open.last else { return }
    if !container.isEmpty { bytes.append(0x2C) }
    open[open.count - 1].isEmpty = false
    guard layout == .pretty else { return }
    if !container.isInline {
      newLine()
    } else if container.isObject || !container.isEmpty {
      bytes.append(0x20)
    }
  }

  private mutating func newLine() {
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
  }

  // MARK: Bytes

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func appendDecimal(_ number: Int) {
    if number < 0 { bytes.append(0x2D) }
    var magnitude = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: magnitude % 10))
      magnitude /= 10
    } while magnitude > 0
    bytes[start...].reverse()
  }

  private mutating func appendString(_ text: String) {
    var text = text
    text.withUTF8 { appendString($0) }
  }

  private mutating func appendString(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(0x22)
    var plain = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        if byte >= 0x20, byte != 0x22, byte != 0x5C {
          index += 1
          continue
        }
        bytes.append(contentsOf: text[plain..<index])
        appendEscape(byte)
        index += 1
        plain = index
      } else {
        let length = UTF8Validation.sequenceLength(in: text, at: index)
        if length > 0 {
          index += length
          continue
        }
        bytes.append(contentsOf: text[plain..<index])
        bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        index += 1
        plain = index
      }
    }
    bytes.append(contentsOf: text[plain...])
    bytes.append(0x22)
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case 0x22, 0x5C: bytes.append(contentsOf: [0x5C, byte])
    case 0x08: append("\\b")
    case 0x0C: append("\\f")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    default: append("\\u00" + JSONExcerpt.hexadecimal(byte).lowercased())
    }
  }
}
