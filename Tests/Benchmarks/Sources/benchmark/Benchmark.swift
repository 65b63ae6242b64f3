/// Measures parts of the product by themselves. Each part prints one line of figures; the scripts beside this package
/// run it in turn with other programs over the same data.
@main
enum Benchmark {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    switch arguments.popFirst() {
    case "sources": try SourcesBenchmark(Array(arguments)).run()
    case "normalise": try NormaliserBenchmark(Array(arguments)).run()
    case "planning": try PlanningBenchmark(Array(arguments)).run()
    default:
      print("usage: benchmark sources FILE OUTPUT [MEGABYTES [THREADS]]")
      print("       benchmark normalise FILE   (lines of raw TAB region)")
      print("       benchmark planning PLAN [PAIRS]")
    }
  }
}

extension [String] {
  /// The argument at `position`, if there is one.
  func argument(_ position: Int) -> String? { position < count ? self[position] : nil }
}
