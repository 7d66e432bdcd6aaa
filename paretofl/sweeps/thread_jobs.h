#pragma once

#include <cstddef>
#include <functional>

#include "paretofl/sweeps/job_end.h"

namespace paretofl {

/// Calls a function in the thread that waits for the jobs, and returns when it has returned. Throws what it throws.
using CallInWaitingThread = std::function<void(const std::function<void()>&)>;

/// Jobs that run in this process, several at a time.
struct ThreadJobs {
  std::size_t count = 0;
  std::size_t at_once = 1;
  /// In a thread of the job's own, or with `at_once` = 1 in the waiting one. Returns how it ended; what it throws is how it failed.
  std::function<JobEnd(std::size_t, const CallInWaitingThread&)> body;
  std::function<void(std::size_t)> on_start;  ///< these in the waiting thread; a job whose on_start throws has failed
  std::function<void(std::size_t, const JobEnd&)> on_end;
  std::function<bool()> goes_on;  ///< whether further jobs may start
};

/// Runs jobs 0 .. count - 1 in that order, `at_once` of them at a time, where processes can't be forked, and returns when all have ended.
/// Returns the signal that ended a job early or kept one from starting: after it no others start. Otherwise 0. What on_end or goes_on
/// throws, or on_start beside std::exception, is thrown again once the jobs under way have ended: the first such exception, after which no
/// others start.
int run_in_threads(const ThreadJobs& jobs);

}  // namespace paretofl
