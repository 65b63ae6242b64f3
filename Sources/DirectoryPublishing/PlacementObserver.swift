internal import CallDirectory

/// Sees what providers get while the last walk over the rows places it. Called by one thread.
protocol PlacementObserver: AnyObject {
  /// The provider at this position gets this entry of each of the numbers at hand; its label is borrowed until they are ended.
  func take(_ provider: Int, _ entry: DirectoryEntry)
  /// Ends the numbers at hand; they ascend from call to call.
  func end(_ numbers: ClosedRange<PhoneNumber>) throws
}
