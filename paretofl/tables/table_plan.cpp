#include "paretofl/tables/table_plan.h"

#include <algorithm>
#include <map>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/tables/missing_column.h"

namespace paretofl {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The option that each column is named by. Throws Error if two name the same one.
class Roles {
 public:
  explicit Roles(const std::vector<std::string>& columns, std::string where) : columns_(columns), where_(std::move(where)) {}

  void add(const std::string& column, const std::string& option) {
    if (!contains(columns_, column)) {
      throw Error(fmt::format("workload.{}: expected a column of {}, found '{}'{}", option, where_, printable(column),
                              missing_column_hint(column, columns_)));
    }
    const auto [found, added] = options_.emplace(column, option);
    expect(added, "workload.{}: expected a column that has no other use, found '{}', which is in workload.{} too", option,
           printable(column), found->second);
  }
  bool taken(const std::string& column) const { return options_.contains(column); }

 private:
  const std::vector<std::string>& columns_;
  std::string where_;
  std::map<std::string, std::string> options_;
};

}  // namespace

TablePlan plan_table(const TableOptions& options, const std::vector<TableObjective>& objectives, const std::vector<std::string>& columns,
                     const std::string& where) {
  Roles roles(columns, where);
  TablePlan plan;
  std::vector<TableColumn>& read = plan.schema.columns;
  for (const TableObjective& objective : objectives) {
    const auto known = std::find_if(read.begin(), read.end(), [&](const TableColumn& column) { return column.name == objective.column; });
    plan.targets.push_back(static_cast<std::size_t>(known - read.begin()));
    if (known != read.end()) continue;
    roles.add(objective.column, "targets");
    read.push_back({.name = objective.column,
                    .category = objective.head.has_labels(),
                    .may_be_missing = options.missing_targets == "skip",
                    .label = objective.head.has_labels(),
                    .if_missing = "workload.missing_targets = \"skip\" leaves such rows out for this target",
                    .if_no_number = "the losses logistic and cross_entropy are for classes"});
  }
  const auto add_text = [&](const std::string& name, const char* option) {
    roles.add(name, option);
    read.push_back(
        {.name = name, .category = true, .if_missing = fmt::format("workload.{} names this column", option), .if_no_number = ""});
    return read.size() - 1;
  };
  if (!options.client_column.empty()) plan.schema.client = add_text(options.client_column, "client_column");
  if (!options.split_column.empty()) plan.split = add_text(options.split_column, "split_column");
  for (const std::string& name : options.ignored) roles.add(name, "ignored");

  std::vector<std::string> features = options.features;
  for (const std::string& name : options.features) roles.add(name, "features");
  if (features.empty()) {
    std::copy_if(columns.begin(), columns.end(), std::back_inserter(features), [&](const auto& name) { return !roles.taken(name); });
    plan.schema.all_columns = true;
    plan.schema.left_out.insert(options.ignored.begin(), options.ignored.end());
  }
  expect(!features.empty(), "workload.features: expected a column of {} to predict from, found none beside those that other options name",
         where);
  for (const std::string& name : options.categorical) {
    expect(contains(features, name), "workload.categorical: expected a feature, found '{}'", printable(name));
  }
  for (const std::string& name : features) {
    plan.features.push_back(read.size());
    read.push_back({.name = name,
                    .category = contains(options.categorical, name),
                    .may_be_missing = options.missing == "mean",
                    .if_missing = "workload.missing = \"mean\" allows it",
                    .if_no_number = "workload.categorical makes a column of texts features, workload.ignored leaves it out"});
  }
  return plan;
}

}  // namespace paretofl
