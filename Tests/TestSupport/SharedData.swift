public import Foundation

/// The folder of real input data that stands beside the checkout, where there is one.
public enum SharedData {
  /// `$SHARDCTL_SHARED`, else `../shared` beside the package; nil when it is not there.
  public static let folder: URL? = {
    let environment = ProcessInfo.processInfo.environment["SHARDCTL_SHARED"].map { URL(fileURLWithPath: $0) }
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let candidate = environment ?? package.deletingLastPathComponent().appendingPathComponent("shared")
    return FileManager.default.fileExists(atPath: candidate.appendingPathComponent("data").path) ? candidate : nil
  }()

  /// Whether the data is there; for `.enabled(if: SharedData.isPresent, SharedData.absence)`.
  public static var isPresent: Bool { folder != nil }

  /// Why a test that needs the data is skipped.
  public static let absence: String = "no ../shared/data beside the checkout and no SHARDCTL_SHARED"

  /// The path of a file below `data`, for example `spam/tr_spam.csv`.
  public static func path(_ relative: String) -> String {
    (folder ?? URL(fileURLWithPath: "/nonexistent")).appendingPathComponent("data").appendingPathComponent(relative)
      .path
  }
}
