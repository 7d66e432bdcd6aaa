#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "paretofl/models/head.h"
#include "paretofl/tables/table_data.h"

namespace paretofl {

/// What one objective predicts, row by row.
struct TargetValues {
  Head head;
  std::vector<std::uint8_t> known;   ///< [rows]: 1 where the row has a value
  std::vector<float> targets;        ///< [rows] of a head with targets: (value - mean) / scale
  std::vector<std::uint8_t> labels;  ///< [rows] of a head with labels: the place of the value in the natural order of all values
  std::vector<std::string> classes;  ///< of a head with labels: what the labels stand for
  double mean = 0;
  double scale = 1;

  bool all_known() const;
};

/// Of a column of numbers, for a head with targets. With `standardize`, mean and scale are those of the `train` rows. Throws Error, calling
/// the column `name`, where these do not vary, and for numbers that float32 does not hold.
TargetValues number_targets(const ColumnCells& cells, const Head& head, const std::string& name, std::span<const std::uint32_t> train,
                            bool standardize);

/// The same with the mean and the scale given.
TargetValues number_targets(const ColumnCells& cells, const Head& head, const std::string& name, double mean, double scale);

/// Of a column of categories, for a head with labels: of two values with Loss::kBinary, 1 being the second in natural order, and with
/// Loss::kNll of 2 to 256. The head gets its number of outputs. Throws Error for other numbers of values.
TargetValues category_targets(const ColumnCells& cells, const Head& head, const std::string& name);

/// The same with the classes given, whose number fits the head. Throws Error for a value that is none of them.
TargetValues category_targets(const ColumnCells& cells, const Head& head, const std::string& name, std::vector<std::string> classes);

}  // namespace paretofl
