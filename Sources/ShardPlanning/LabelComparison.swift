/// Whether the labels of one number differ, without copying them.
struct LabelComparison {
  private var first: UnsafeRawBufferPointer?
  private(set) var differ = false
  /// Labels that are not empty.
  private(set) var count = 0

  mutating func add(_ label: UnsafeRawBufferPointer) {
    guard !label.isEmpty else { return }
    count += 1
    if let first { differ = differ || !first.elementsEqual(label) } else { first = label }
  }
}
