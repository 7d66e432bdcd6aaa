#pragma once

#include <nanobind/nanobind.h>

#include <atomic>

namespace paretofl::python {

/// The run, sweep or evaluation that is under way in this process, and its problem: signals and the record of the data read belong to one
/// run. Throws Error while there is another.
class CurrentRun {
 public:
  /// `function` is what was called, for the error.
  CurrentRun(const char* function, nanobind::handle problem);
  ~CurrentRun();
  CurrentRun(const CurrentRun&) = delete;
  CurrentRun& operator=(const CurrentRun&) = delete;

  static bool is_under_way() { return under_way_; }
  /// Asks the run or sweep to end after the round, with a checkpoint, and every later one, for a program that ends.
  static void ask_to_end() { asked_to_end_ = true; }
  static bool asked_to_end() { return asked_to_end_; }
  static nanobind::handle problem() { return problem_; }

 private:
  static std::atomic<bool> under_way_;
  static std::atomic<bool> asked_to_end_;
  static nanobind::handle problem_;
};

/// Registers the workload "python": the current run's problem.
void add_python_workload();

}  // namespace paretofl::python
