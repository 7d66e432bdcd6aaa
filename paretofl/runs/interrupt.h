#pragma once

#include <array>
#include <csignal>
#include <string>

namespace paretofl {

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the process, so that a run can finish
/// its round and checkpoint. A second SIGINT or SIGTERM ends the process at once. Where SIGHUP is ignored, as
/// under nohup, it stays so. After it, signals do what they did before, and so they do in a process that is forked while it lives. Guards
/// may be nested and may live in several threads: a signal stays noted until the last of them ends. Where the first one is of another
/// thread than the main one, a former handler is called too, and from then on alone: the main thread may wait for something else, as a
/// notebook's cell does.
class InterruptGuard {
 public:
  /// `at_end` is written to standard error as soon as SIGTERM comes, unless it is empty or another guard lives: for processes whose end
  /// may follow before the round does. Likewise `at_interrupt` as soon as the first SIGINT comes: a round may take long.
  explicit InterruptGuard(std::string at_end = {}, std::string at_interrupt = {});
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Sets the signals to what they do in a new process.
  static void reset();

  /// 0, or the signal that came.
  static int signal_received();

  /// Those that are noted.
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

 private:
  unsigned forks_ = 0;  ///< tells guards of this process from those that it was forked with
};

}  // namespace paretofl
