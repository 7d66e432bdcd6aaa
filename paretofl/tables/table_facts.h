#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "paretofl/tables/feature.h"
#include "paretofl/tables/table_objective.h"
#include "paretofl/tables/table_options.h"
#include "paretofl/tables/target_values.h"

namespace paretofl {

/// What the parties of a table agree on, since it takes the rows of all of them: categories, classes and scales.
struct TableFacts {
  std::vector<Feature> features;      ///< [width], the inputs of the model
  std::vector<TargetValues> targets;  ///< [M]: classes, mean and scale, without values of rows
  bool all_known = true;              ///< whether every row of every party has a value of every target
};

/// "features" [width]: {"column", "mean", "deviation", "standardized"} of numbers, {"column", "value", "seen"} of categories (feature.h);
/// "targets" [M]: {"mean", "scale"} of numbers, {"classes": [..]} of classes; "all_known".
nlohmann::json to_json(const TableFacts& facts);

/// Throws Error, calling the JSON `where`, for what is no such object, or does not fit the objectives.
TableFacts read_table_facts(const nlohmann::json& json, const std::string& where, const std::vector<TableObjective>& objectives);

/// The options with which exactly the columns of these features are read, beside those of other uses.
TableOptions with_features(TableOptions options, const std::vector<Feature>& features);

}  // namespace paretofl
