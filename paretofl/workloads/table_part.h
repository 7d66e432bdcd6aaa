#pragma once

#include <vector>

#include "paretofl/parties/problem_part.h"
#include "paretofl/tables/feature_matrix.h"
#include "paretofl/tables/row_split.h"
#include "paretofl/tables/table_options.h"
#include "paretofl/tables/table_plan.h"
#include "paretofl/tables/target_values.h"

namespace paretofl {

/// The rows of one party's folder, and what problem.json says of them.
struct TablePart {
  int clients = 0;  ///< of the whole problem
  FeatureMatrix features;
  std::vector<TargetValues> targets;  ///< [M]
  RowSplit split;                     ///< rows in the order of the files; train has one entry of a client and none of the server
  bool all_known = true;              ///< TableFacts::all_known
};

/// Writes rows of a table as CSV: the columns of the targets and of the features. Writes nothing where there is no row.
void write_table_rows(const TablePlan& plan, const TableData& table, const std::vector<std::uint32_t>& rows,
                      const std::filesystem::path& file);

/// The targets [M] of a table's rows, with the classes and scales of the targets that are known. Throws Error for another class.
std::vector<TargetValues> targets_like(const std::vector<TargetValues>& known, const std::vector<TableObjective>& objectives,
                                       const TablePlan& plan, const TableData& table);

/// Reads train.csv (of a client, who must have it), validation.csv and test.csv (which the server must have). Throws Error, naming the
/// file, the line and the column where they are known, for what does not fit the options or problem.json.
TablePart read_table_part(const TableOptions& options, const std::vector<TableObjective>& objectives, const ProblemPart& part);

}  // namespace paretofl
