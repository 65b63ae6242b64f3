#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The system's clocks.
public enum Clock {
  /// Seconds since an arbitrary start; never goes back.
  public static var monotonicSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Seconds since 1970-01-01 UTC.
  public static var unixSeconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }
}
