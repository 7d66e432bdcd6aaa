#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/tables/table_objective.h"
#include "paretofl/tables/table_options.h"
#include "paretofl/tables/table_schema.h"

namespace paretofl {

/// Which columns a workload on tables reads and what each is for.
struct TablePlan {
  TableSchema schema;
  std::vector<std::size_t> features;  ///< columns of the schema
  std::vector<std::size_t> targets;   ///< [M] likewise
  std::optional<std::size_t> split;   ///< likewise
};

/// The plan for files with these columns, which stand at `where`. Throws Error for options that name a column in two roles or twice, for a
/// categorical column that is no feature, for an ignored column that does not exist, and if no feature is left.
TablePlan plan_table(const TableOptions& options, const std::vector<TableObjective>& objectives, const std::vector<std::string>& columns,
                     const std::string& where);

}  // namespace paretofl
