#pragma once

namespace paretofl {

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process, so that a run can finish
/// its round and checkpoint. A second SIGINT or SIGTERM ends the process at once. Where SIGHUP is ignored, as
/// under nohup, it stays so. One at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Sets the signals back to what they do without a guard, as a process does that was forked with one.
  static void reset();

  /// 0, or the signal that came.
  static int signal_received();
};

}  // namespace paretofl
