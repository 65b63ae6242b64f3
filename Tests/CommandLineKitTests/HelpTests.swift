import CommandLineKit
import Testing

struct HelpTests {
  @Test("placeholder")
  func t() {
    for p in [[], ["sample"], ["provider"], ["provider", "list"], ["lookup"]] {
      print(SampleTool.tree.help(for: p)); print("=======")
    }
    print(SampleTool.tree.help(for: ["sample"], columns: 50))
    print(SampleTool.run([]), SampleTool.run(["provider"]))
  }
}
