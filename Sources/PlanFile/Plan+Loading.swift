internal import PositionedJSON
internal import SystemSupport

extension Plan {
  /// The largest plan file read, in bytes.
  public static let maximumSize = 64 << 20

  /// Reads and checks the plan file at `path`.
  ///
  /// - Throws: ``PlanError`` with all that is wrong with the text, or `SystemError` when the file cannot be read.
  public static func load(path: String) throws -> Plan {
    try Plan(bytes: FileSystem.read(path, limit: maximumSize), file: path)
  }

  /// Checks a plan given as bytes.
  ///
  /// - Parameters:
  ///   - bytes: The text of the file.
  ///   - file: The name that errors carry and whose folder relative paths are relative to.
  /// - Throws: Every error that can be told apart, in the order of the text. Malformed JSON, a document that is no
  ///   object and a schema of another version are reported alone.
  public init(bytes: [UInt8], file: String? = nil) throws(PlanError) {
    let document: JSONDocument
    let decoder: PlanDecoder
    do throws(JSONError) {
      document = try JSONDocument(bytes, file: file)
      let root = try document.root.asObject()
      try Plan.checkSchema(root)
      decoder = PlanDecoder(root)
    } catch {
      throw PlanError(errors: [error])
    }
    let plan = decoder.decode(bytes: bytes, file: file, document: document)
    guard let plan, decoder.problems.errors.isEmpty else {
      throw PlanError(errors: decoder.problems.errors.sorted())
    }
    self = plan
  }

  /// Rule of B-112: a plan of another schema is refused as such, before anything else is looked at.
  private static func checkSchema(_ root: JSONObjectReader) throws(JSONError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try root.required("schema")
    } catch {
      var error = error
      error.hint = error.hint ?? "begin the plan with \"schema\": \(schema)"
      throw error
    }
    let found = try value.asInt(in: 1...Int.max)
    guard found <= schema else {
      throw value.error(
        "expected schema \(schema), found \(found), which is newer than this shardctl", hint: "update shardctl")
    }
  }
}
