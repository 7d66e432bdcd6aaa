#pragma once

#include <array>
#include <csignal>

namespace paretofl {

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process, so that a run can finish
/// its round and checkpoint. A second SIGINT or SIGTERM ends the process at once. Where SIGHUP is ignored, as
/// under nohup, it stays so. After it, signals do what they did before. Guards may be nested: a signal stays noted until the
/// outermost one ends.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Sets the signals to what they do in a new process, as one does that was forked with a guard.
  static void reset();

  /// 0, or the signal that came.
  static int signal_received();

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace paretofl
