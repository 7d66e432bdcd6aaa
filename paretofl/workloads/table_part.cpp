#include "paretofl/workloads/table_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/parties/problem.h"
#include "paretofl/tables/csv_text.h"
#include "paretofl/tables/table_facts.h"
#include "paretofl/tables/table_reading.h"

namespace paretofl {
namespace {

/// The text of a cell, which ColumnBuilder reads back.
std::string cell_text(const ColumnCells& cells, bool category, std::uint32_t row) {
  if (!category) return number_cell(cells.numbers[row]);
  const std::int32_t value = cells.categories[row];
  return value == ColumnCells::kNone ? "" : cells.values[static_cast<std::size_t>(value)];
}

/// Options under which exactly the features agreed on and the targets are read.
TableOptions part_options(TableOptions options, const TableFacts& facts) {
  options.client_column = options.split_column = "";
  return with_features(std::move(options), facts.features);
}

}  // namespace

void write_table_rows(const TablePlan& plan, const TableData& table, const std::vector<std::uint32_t>& rows,
                      const std::filesystem::path& file) {
  if (rows.empty()) return;
  std::vector<std::size_t> columns = plan.targets;
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  columns.insert(columns.end(), plan.features.begin(), plan.features.end());
  std::vector<std::string> cells;
  for (const std::size_t column : columns) cells.push_back(plan.schema.columns[column].name);
  std::string text = csv_line(cells);
  for (const std::uint32_t row : rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      cells[i] = cell_text(table.columns[columns[i]], plan.schema.columns[columns[i]].category, row);
    }
    text += csv_line(cells);
  }
  write_whole_file(file, text);
}

std::vector<TargetValues> targets_like(const std::vector<TargetValues>& known, const std::vector<TableObjective>& objectives,
                                       const TablePlan& plan, const TableData& table) {
  std::vector<TargetValues> targets;
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const ColumnCells& cells = table.columns[plan.targets[k]];
    const std::string& column = objectives[k].column;
    targets.push_back(known[k].head.has_labels() ? category_targets(cells, known[k].head, column, known[k].classes)
                                                 : number_targets(cells, known[k].head, column, known[k].mean, known[k].scale));
  }
  return targets;
}

TablePart read_table_part(const TableOptions& options, const std::vector<TableObjective>& objectives, const ProblemPart& part) {
  const Problem problem = read_problem(part.folder);
  const TableFacts facts = read_table_facts(problem.facts, part.file(Problem::kFile).string() + ": facts", objectives);
  const TableOptions chosen = part_options(options, facts);
  TablePart result{.clients = problem.clients, .features = {}, .targets = {}, .split = {}, .all_known = facts.all_known};
  if (!part.is_server()) result.split.train.resize(1);
  std::vector<TableFile> files;
  std::vector<std::vector<std::uint32_t>*> rows_of_file;
  const auto add = [&](const std::string& stem, bool required, std::vector<std::uint32_t>& rows) {
    if (!required && !part.has(stem + ".csv")) return;
    files.push_back({part.file(stem + ".csv"), stem});
    rows_of_file.push_back(&rows);
  };
  if (!part.is_server()) add("train", true, result.split.train[0]);
  add("validation", false, result.split.validation);
  add("test", part.is_server(), result.split.test);

  TablePlan plan;
  const TableData table = read_table(files, {}, [&](const std::vector<std::string>& columns, const std::string& where) {
    plan = plan_table(chosen, objectives, columns, where);
    return plan.schema;
  });
  std::uint32_t next = 0;  // rows are numbered in the order of the files
  for (std::size_t f = 0; f < files.size(); ++f) {
    rows_of_file[f]->resize(table.client_rows[f].size());
    std::iota(rows_of_file[f]->begin(), rows_of_file[f]->end(), next);
    next += static_cast<std::uint32_t>(rows_of_file[f]->size());
  }
  try {
    result.targets = targets_like(facts.targets, objectives, plan, table);
    result.features = feature_matrix(table, plan.schema, plan.features, facts.features);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", part.folder.string(), error.what()));
  }
  return result;
}

}  // namespace paretofl
