#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "paretofl/serve/file_stamp.h"
#include "paretofl/serve/row_file.h"
#include "paretofl/serve/run_figures.h"

namespace paretofl {

/// Files that a process of this machine holds a lock on: device and inode.
using LockedFiles = std::set<std::pair<std::uint64_t, std::uint64_t>>;

/// One run directory as it is now. One thread calls poll(); any thread may call the rest. A damaged or missing directory is a state, never
/// an Error.
class WatchedRun {
 public:
  WatchedRun(std::string name, std::filesystem::path folder)
      : name_(std::move(name)), folder_(std::move(folder)), rows_(folder_ / "metrics.jsonl") {}

  /// Looks at the run's files; returns whether anything changed.
  bool poll(const LockedFiles& locked);

  const std::string& name() const { return name_; }
  const RowFile& rows() const { return rows_; }

  /// What a list of runs tells: {"name", "state", "strategy", "workload", "seed", "rounds", "rounds_planned", "event" (the id of the last
  /// row), "bytes_up", "bytes_down", "seconds": {phase: s}, "failures", "late", "last": {split: {metric: {objective: x}}}}; "error" where
  /// there is one. States: "running" (a process of this machine works in the folder), "unfinished", "completed", "failed", "damaged",
  /// "vanished".
  nlohmann::ordered_json entry() const;

  /// {"run": entry(), "data": what report/page_data.h describes of this run, or null where that cannot be read}, as text. It is made again
  /// where the run has changed, but no more than a hundredth of a processor goes to it unless it would lag by ten seconds; `patient` false
  /// lifts that.
  std::shared_ptr<const std::string> page(bool patient = true);

 private:
  void read_config(const FileStamp& stamp);
  void read_summary(const FileStamp& stamp);
  std::string state(const LockedFiles& locked) const;
  nlohmann::ordered_json page_json(const nlohmann::ordered_json& entry) const;

  const std::string name_;
  const std::filesystem::path folder_;
  RowFile rows_;

  // Of poll() alone.
  FileStamp config_stamp_, summary_stamp_;
  RunFigures figures_;
  nlohmann::ordered_json config_, summary_;
  std::string config_error_, summary_error_;

  mutable std::mutex mutex_;  ///< guards entry_
  nlohmann::ordered_json entry_;

  std::mutex page_mutex_;  ///< guards what follows
  nlohmann::ordered_json paged_;
  std::shared_ptr<const std::string> page_;
  std::chrono::steady_clock::time_point page_made_{};
  std::chrono::nanoseconds page_cost_{};
};

}  // namespace paretofl
