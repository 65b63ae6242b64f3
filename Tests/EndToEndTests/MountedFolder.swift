import Foundation
import TestSupport

/// A file system mounted for a test, where this user may mount at all.
struct MountedFolder {
  struct CannotMount: Error {
    var log: String
  }

  private var path: String

  /// Whether mounting is possible, tried once.
  static let isPossible: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder(), let mounted = try? small(folder.path, kilobytes: 64)
    else { return false }
    mounted.unmount()
    return true
  }()

  /// An empty file system of `kilobytes` in memory at the folder `path`.
  static func small(_ path: String, kilobytes: Int) throws -> MountedFolder {
    try mount(["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path], path)
  }

  /// What is at `path`, as a file system that nobody can write to.
  static func readOnly(_ path: String) throws -> MountedFolder {
    _ = try mount(["--bind", path, path], path)
    return try mount(["-o", "remount,bind,ro", path], path)
  }

  /// The file at `path` as a mount point, which nothing can be renamed onto.
  static func fixed(_ path: String) throws -> MountedFolder { try mount(["--bind", path, path], path) }

  func unmount() { _ = try? ToolProcess("/usr/bin/env", ["umount", path], in: "/").wait() }

  private static func mount(_ arguments: [String], _ path: String) throws -> MountedFolder {
    let run = try ToolProcess("/usr/bin/env", ["mount"] + arguments, in: "/").wait()
    guard run.status == 0 else { throw CannotMount(log: run.errors) }
    return MountedFolder(path: path)
  }
}
