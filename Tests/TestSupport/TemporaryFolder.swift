import Foundation
import Synchronization

/// A folder of a test's own, removed when the object goes.
public final class TemporaryFolder: Sendable {
  /// The absolute path of the folder.
  public let path: String

  /// Makes an empty folder with a unique name.
  public init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("shardctl-test-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A folder that many tests share, removed when the process ends: what stands in a static variable never goes.
  public static func ofProcess() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let isFirst = shared.withLock { paths in
      paths.append(folder.path)
      return paths.count == 1
    }
    if isFirst {
      atexit {
        for path in TemporaryFolder.shared.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
      }
    }
    return folder
  }

  private static let shared = Mutex<[String]>([])

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes `text` to `name`, making folders as needed, and returns the path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  /// Writes `bytes` to `name`, making folders as needed, and returns the path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }
}
