extension Array {
  /// Every order of the elements, the given one first; n! of them.
  public var permutations: [[Element]] {
    guard count > 1 else { return [self] }
    return indices.flatMap { index -> [[Element]] in
      var rest = self
      let element = rest.remove(at: index)
      return rest.permutations.map { [element] + $0 }
    }
  }

  /// Every choice of elements, none of them first; 2ⁿ of them.
  public var subsets: [[Element]] {
    (0..<(1 << count)).map { mask in indices.filter { mask >> $0 & 1 == 1 }.map { self[$0] } }
  }
}
