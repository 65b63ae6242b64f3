/// How many entries one provider may have.
public enum EntryLimit {
  /// The most entries a phone accepts from one provider in one request, both families together (R-CAP-1, R-CAP-2).
  public static let maximum = 1_999_999
}
