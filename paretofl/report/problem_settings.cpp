#include "paretofl/report/problem_settings.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace paretofl {
namespace {

constexpr std::array<std::string_view, 5> kKeys = {"workload.environment", "workload.problem", "workload.files", "workload.test_files",
                                                   "workload.prompts"};

// Below these are parts with names of the user's own, such as workload.tasks.sums; of each, the settings that end as below.
constexpr std::array<std::string_view, 4> kTables = {"workload.tasks.", "workload.test_sets.", "workload.objectives.", "workload.rewards."};
constexpr std::array<std::string_view, 4> kEnds = {".name", ".train", ".test", ".model"};

bool names_problem(std::string_view key) {
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end() ||
         (std::any_of(kTables.begin(), kTables.end(), [&](std::string_view table) { return key.starts_with(table); }) &&
          std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return key.ends_with(end); }));
}

}  // namespace

Texts problem_settings(const RunData& run) {
  Texts found;
  for (const auto& [key, value] : run.keys) {
    if (!value.empty() && names_problem(key)) found.emplace(key, value);
  }
  return found;
}

}  // namespace paretofl
