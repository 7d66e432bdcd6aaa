#pragma once

#include <string>
#include <vector>

#include "paretofl/models/head.h"

namespace paretofl {

/// One objective of a workload on tables: a column and how its prediction is judged.
struct TableObjective {
  std::string name;  ///< the column; "COLUMN:LOSS" where the column is a target of several objectives
  std::string column;
  std::string loss;  ///< as the config has it
  Head head;         ///< the number of outputs follows from the data
};

/// The objectives that a config's lists name. Throws Error for lists of different lengths or without an entry, an unknown loss, a quantile
/// without a level between 0 and 1, and the same loss of the same column twice.
std::vector<TableObjective> table_objectives(const std::vector<std::string>& targets, const std::vector<std::string>& losses);

}  // namespace paretofl
