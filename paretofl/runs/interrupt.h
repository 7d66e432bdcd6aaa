#pragma once

namespace paretofl {

/// While it lives, SIGINT and SIGTERM are noted instead of ending the process, so that a run can finish
/// its round and checkpoint. A second signal of the kind ends the process at once. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// 0, or the signal that came.
  static int signal_received();
};

}  // namespace paretofl
