#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "paretofl/sweeps/job_end.h"

namespace paretofl {

/// Jobs that each run in a process of their own.
struct ProcessJobs {
  std::size_t count = 0;
  std::size_t at_once = 1;
  /// In the job's process; returns its exit code. What it hands to the second argument arrives at on_progress.
  std::function<int(std::size_t, const std::function<void(std::int64_t)>&)> body;
  std::function<void(std::size_t)> on_start;  ///< these in the calling process; a job whose on_start throws has failed
  std::function<void(std::size_t, std::int64_t)> on_progress;
  std::function<void(std::size_t, const JobEnd&)> on_end;
};

/// Runs jobs 0 .. count - 1 in that order, `at_once` of them at a time, and returns when all have ended. A
/// process is forked from this one, so it shares nothing that either changes later; call this while no other
/// thread runs. SIGINT, SIGTERM or SIGHUP goes on to the running jobs, no others start, and the signal is returned
/// once they have ended; otherwise 0. A second SIGINT or SIGTERM ends this process at once. Whatever ends this process,
/// kill -9 too, ends the jobs.
int run_in_processes(const ProcessJobs& jobs);

}  // namespace paretofl
