internal import CallDirectory

/// Sees what providers get while the last walk over the rows places it. Called by one thread.
protocol PlacementObserver: AnyObject {
  /// The provider at this position gets the numbers at hand; the run's label is borrowed until they are ended.
  // The whole run, as it was handed over: taking it apart would copy it for each entry, observed or not.
  func take(_ provider: Int, _ run: EntryRun)
  /// Ends the numbers at hand; they ascend from call to call.
  func end(_ numbers: ClosedRange<PhoneNumber>) throws
}
