import PlanFile
import PositionedJSON
import Testing

/// Texts of plans for tables of tests.
enum PlanText {
  static let companies = #"{"id":"companies","file":"c.tsv","number":"phone","label":"name"}"#
  static let everything = #"{"id":"all","rest":true}"#

  /// A plan whose sources stand on line 2, whose providers on line 4 and whose other keys on line 5.
  static func plan(sources: String = companies, providers: String = everything, more: String = "") -> String {
    "{\"schema\":1,\"name\":\"n\",\"sources\":[\n\(sources)\n],\"providers\":[\n\(providers)\n]\(more)}"
  }

  static func load(_ text: String) throws -> Plan { try Plan(bytes: Array(text.utf8), file: "plan.json") }

  /// Expects exactly these errors, hints in brackets, the file's name left out.
  static func expect(_ text: String, fails errors: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: PlanError.self, sourceLocation: sourceLocation) { try load(text) }
    let found = error?.errors.map { error in
      String(error.description.dropFirst("plan.json:".count)) + (error.hint.map { " (\($0))" } ?? "")
    }
    #expect(found ?? [] == errors, sourceLocation: sourceLocation)
  }
}
