#pragma once

#include <array>
#include <vector>

#include "paretofl/workloads/workload.h"

namespace paretofl {

/// The workloads that train language models, in the order of `language_workloads`.
inline constexpr std::array kLanguageWorkloads = {"alignment", "preference_pairs", "reasoning", "arithmetic", "gsm8k", "math",
                                                  "mbpp",      "humaneval"};

/// Their entries of the registry. In a build without language models (PARETOFL_LANGUAGE=OFF) each throws Error when it is made or given
/// options.
std::vector<Registry<WorkloadFactory>::Entry> language_workloads();

}  // namespace paretofl
