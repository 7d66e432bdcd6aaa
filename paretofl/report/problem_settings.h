#pragma once

#include "paretofl/report/run_data.h"

namespace paretofl {

/// The settings that say which problem the run's workload is, by full key: its environment, its Python problem, its files, its question
/// sets and what its rewards are called. Runs in which they differ are on different problems, even though workload and objectives have
/// the same names. Numbers, such as how many clients or questions there are, and the options of models and agents are not among them,
/// and data.root is not, since the same files may be in several folders. A setting that is empty counts as absent.
Texts problem_settings(const RunData& run);

}  // namespace paretofl
