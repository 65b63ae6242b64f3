internal import Glibc

/// The program that runs in this process.
public enum RunningExecutable {
  /// Its absolute path, as the system knows it; empty where the system does not say.
  public static let path: String = {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      guard let base = bytes.bindMemory(to: CChar.self).baseAddress else { return 0 }
      return readlink("/proc/self/exe", base, bytes.count)
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
  }()

  /// Its process number.
  public static var processID: Int32 { getpid() }
}
