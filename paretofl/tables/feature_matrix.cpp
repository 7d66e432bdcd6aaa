#include "paretofl/tables/feature_matrix.h"

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/tables/column_scale.h"

namespace paretofl {
namespace {

/// Whether each category of a column has a training row.
std::vector<bool> seen_categories(const ColumnCells& cells, std::span<const std::uint32_t> train) {
  std::vector<bool> seen(cells.values.size());
  for (const std::uint32_t row : train) {
    if (cells.categories[row] != ColumnCells::kNone) seen[static_cast<std::size_t>(cells.categories[row])] = true;
  }
  return seen;
}

/// Where a feature's cells are.
struct Source {
  const ColumnCells* cells;
  std::int32_t category;  // the one that gives 1

  double value(const Feature& feature, std::size_t row) const {
    if (feature.category) return feature.seen && cells->categories[row] == category ? 1 : 0;
    return feature.scaled(std::isnan(cells->numbers[row]) ? feature.scale.mean : cells->numbers[row]);
  }
};

}  // namespace

FeatureMatrix feature_matrix(const TableData& table, const TableSchema& schema, std::span<const std::size_t> features,
                             std::span<const std::uint32_t> train, bool standardize) {
  FeatureMatrix matrix;
  std::vector<Source> sources;
  for (const std::size_t column : features) {
    const ColumnCells& cells = table.columns[column];
    const std::string& name = schema.columns[column].name;
    if (!schema.columns[column].category) {
      matrix.features.push_back({.column = name, .value = "", .scale = column_scale(cells.numbers, train), .standardized = standardize});
      sources.push_back({&cells, ColumnCells::kNone});
      continue;
    }
    expect(cells.values.size() <= kMostCategories,
           "workload.categorical: expected columns of at most {} different values, found {} in '{}'", kMostCategories, cells.values.size(),
           printable(name));
    const std::vector<bool> seen = seen_categories(cells, train);
    for (std::size_t v = 0; v < cells.values.size(); ++v) {
      matrix.features.push_back({.column = name, .category = true, .value = cells.values[v], .seen = seen[v], .scale = {}});
      sources.push_back({&cells, static_cast<std::int32_t>(v)});
    }
  }
  const std::size_t rows = table.num_rows();
  matrix.values.reserve(rows * sources.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto value = static_cast<float>(sources[i].value(matrix.features[i], row));
      if (!std::isfinite(value)) {
        throw Error(
            fmt::format("workload.features: expected numbers that float32 holds when scaled, found {} in '{}', whose training rows "
                        "have a deviation of {}",
                        sources[i].cells->numbers[row], printable(matrix.features[i].column), matrix.features[i].scale.deviation));
      }
      matrix.values.push_back(value);
    }
  }
  return matrix;
}

}  // namespace paretofl
