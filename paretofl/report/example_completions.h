#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// A held-out prompt, what a run's final model made of it, and what that was worth.
struct ExampleCompletion {
  std::string prompt;
  std::string completion;
  std::map<std::string, double> reward;  ///< by objective; NaN if the file has null
};

/// The lines of a run's model/completions.jsonl: {"prompt", "completion", "reward": {objective: x}} each. Other fields are
/// passed over. Throws Error naming `name` and the line on anything else.
std::vector<ExampleCompletion> parse_example_completions(std::string_view text, std::string_view name);

/// Those of a run directory; none if it has no such file. Personalized runs have one for every client, which are not read.
std::vector<ExampleCompletion> read_example_completions(const std::filesystem::path& run);

}  // namespace paretofl
