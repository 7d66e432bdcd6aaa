#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/layout.h"
#include "paretofl/tables/feature.h"
#include "paretofl/tables/table_objective.h"
#include "paretofl/tables/target_values.h"

namespace paretofl {

/// What a model on tables predicts from what, beside its parameters.
struct TableModel {
  const std::vector<Feature>& features;
  bool missing_is_mean;                           ///< whether a missing number counts as the mean; if not, no row may miss one
  const std::vector<TargetValues>& targets;       ///< [M]
  const std::vector<TableObjective>& objectives;  ///< [M]
  std::string activation;                         ///< of the hidden layers
};

/// Writes table.json into the folder, which is made: everything that a prediction takes. "features" [width]: each with its "column" and
/// either "mean" and "deviation" (the input is (number - mean) / deviation, or 0 where the deviation is 0; with `missing_is_mean` a missing
/// number counts as "missing", or where there is none as the mean) or "value" (the input is 1 for that value and else 0; "seen" false:
/// always 0). "activation". "layers": the "weight" [out, in] and "bias" [out] of the hidden ones. "targets" [M]: each with "objective",
/// "column", "loss", the head's "weight" and "bias", and either "mean" and "deviation" (the prediction is mean + deviation * output) or
/// "classes".
void write_table_model(const TableModel& model, const Layout& layout, std::span<const float> theta, const std::filesystem::path& folder);

}  // namespace paretofl
