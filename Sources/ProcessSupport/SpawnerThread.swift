internal import Glibc

/// The one thread that starts children.
///
/// A child's parent-death signal follows the thread that started it, not the process: a child started by a worker thread
/// is killed when that worker retires. This thread begins with the first child and ends with the process.
final class SpawnerThread: @unchecked Sendable {
  static let shared = SpawnerThread()

  /// A piece of work that waits for the thread; `isDone` is guarded by the owner's mutex.
  private final class Job {
    let body: () -> Void
    var isDone = false
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [Job] = []
  private var isRunning = false

  // Lives as long as the process, so nothing is ever freed.
  private init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  /// Runs `body` on the thread and waits until it has run. Returns false when the thread cannot be started.
  func run(_ body: @escaping () -> Void) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if !isRunning {
      var thread = pthread_t()
      guard pthread_create(&thread, nil, { _ in SpawnerThread.shared.work() }, nil) == 0 else { return false }
      pthread_detach(thread)
      isRunning = true
    }
    let job = Job(body)
    jobs.append(job)
    pthread_cond_broadcast(changed)
    while !job.isDone { pthread_cond_wait(changed, mutex) }
    return true
  }

  private func work() -> Never {
    pthread_mutex_lock(mutex)
    while true {
      guard let job = jobs.first else {
        pthread_cond_wait(changed, mutex)
        continue
      }
      jobs.removeFirst()
      pthread_mutex_unlock(mutex)
      job.body()
      pthread_mutex_lock(mutex)
      job.isDone = true
      pthread_cond_broadcast(changed)
    }
  }
}
