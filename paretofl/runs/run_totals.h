#pragma once

#include <chrono>

#include "paretofl/core/record.h"
#include "paretofl/core/server.h"

namespace paretofl {

/// What a run has used so far, over all of its processes in a row.
struct RunTotals {
  double bytes_up = 0;
  double bytes_down = 0;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double abandoned_in_a_row = 0;
  double abandoned = 0;
  double late = 0;
  double failures = 0;  ///< of clients, those that were too late among them; 0 in checkpoints of versions that did not count them
  double simulated_seconds = 0;

  /// Adds a round's bytes, late replies, failures and simulated seconds, and whether it was abandoned.
  void add(const RoundReport& report);
  /// The CPU seconds of the process when the run began, which it did not use itself.
  void count_cpu_from(double seconds) { accounted_cpu_ = seconds; }
  /// Adds the wall time since the last call, or since this object was made, and the CPU time since the last call, or since
  /// count_cpu_from().
  void account_time();

  Record save() const;
  /// Throws Error where a total is negative or not finite.
  void load(const Record& record);

 private:
  std::chrono::steady_clock::time_point accounted_wall_ = std::chrono::steady_clock::now();
  double accounted_cpu_ = 0;
};

}  // namespace paretofl
