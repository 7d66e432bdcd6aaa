#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace paretofl {

/// What is told of a sweep in this process while it goes on, in the thread that called it. `run` is a run's name. All may be empty.
struct SweepObserver {
  /// Before the first run: how many runs there are, how many of them are done, and the rounds of the others.
  std::function<void(std::size_t runs, std::size_t done, std::int64_t rounds)> on_plan;
  /// Before a run's first round, where its config.toml is written.
  std::function<void(const std::string& run, const std::filesystem::path& directory, const std::vector<std::string>& objectives)> on_start;
  /// After each round of a run with its row, as metrics.jsonl has it. Returns false to stop the sweep, after the checkpoints of the runs
  /// under way.
  std::function<bool(const std::string& run, const nlohmann::ordered_json& row)> after_round;
  /// After a run: why it failed, or an empty text; and whether it was stopped early, by a signal or by after_round.
  std::function<void(const std::string& run, const std::string& failure, bool stopped)> on_end;
  /// Whether further runs may start.
  std::function<bool()> goes_on;
};

}  // namespace paretofl
