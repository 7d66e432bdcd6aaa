#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "paretofl/tables/feature.h"
#include "paretofl/tables/table_data.h"
#include "paretofl/tables/table_schema.h"

namespace paretofl {

/// The inputs of a model, from columns of a table.
struct FeatureMatrix {
  std::vector<Feature> features;  ///< [width]
  std::vector<float> values;      ///< [rows of the table, width] row-major

  std::size_t width() const { return features.size(); }
  std::span<const float> row(std::size_t n) const { return std::span(values).subspan(n * width(), width()); }
};

/// Each column of numbers becomes one feature; with `standardize` it is shifted and scaled to mean 0 and variance 1 over the `train` rows,
/// or 0 where it does not vary there. A missing number is the mean over the `train` rows that have one. Each column of categories becomes
/// one feature per value, 1 where a row has it and else 0; a value without a `train` row is 0 everywhere, as is a missing one. Throws Error
/// for a column of more than kMostCategories values, for more than kMostFeatureNumbers, and for numbers that float32 does not hold when
/// scaled.
FeatureMatrix feature_matrix(const TableData& table, const TableSchema& schema, std::span<const std::size_t> features,
                             std::span<const std::uint32_t> train, bool standardize);

/// The same with features that are given, such as those that parties agreed on, of the columns named. Throws Error for a feature of another
/// column, for a category that no feature stands for and for numbers that float32 does not hold when scaled.
FeatureMatrix feature_matrix(const TableData& table, const TableSchema& schema, std::span<const std::size_t> columns,
                             std::vector<Feature> features);

inline constexpr std::size_t kMostCategories = 1000;
inline constexpr std::size_t kMostFeatureNumbers = std::size_t{1} << 32;  ///< rows times features: 16 GiB

/// Throws Error for more numbers than kMostFeatureNumbers, before memory is taken for them.
void check_feature_numbers(std::size_t rows, std::size_t features);

}  // namespace paretofl
