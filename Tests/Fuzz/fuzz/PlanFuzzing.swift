import PlanFile

/// Any bytes as a plan: a plan or errors, never a trap.
enum PlanFuzzing {
  @Sendable static func run(_ bytes: UnsafeRawBufferPointer) {
    _ = try? Plan(bytes: Array(bytes), file: "plan.json")
  }
}
