#include "paretofl/tables/feature_matrix.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

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

constexpr std::int32_t kNowhere = -2;  // a category that no row has; a missing one is ColumnCells::kNone

/// Where each feature's cells are. Throws Error unless all categories of the columns are features.
std::vector<Source> sources_of(const std::vector<Feature>& features, const TableData& table, const TableSchema& schema,
                               std::span<const std::size_t> columns) {
  std::vector<Source> sources;
  std::map<std::string, std::set<std::int32_t>> categories;  // that have a feature, by column
  for (const Feature& feature : features) {
    const auto column = std::find_if(columns.begin(), columns.end(), [&](std::size_t c) {
      return schema.columns[c].name == feature.column && schema.columns[c].category == feature.category;
    });
    expect(column != columns.end(), "features: expected columns that are read, found {} of '{}'",
           feature.category ? "a category" : "a number", printable(feature.column));
    const ColumnCells& cells = table.columns[*column];
    std::int32_t category = ColumnCells::kNone;
    if (feature.category) {
      const auto value = std::find(cells.values.begin(), cells.values.end(), feature.value);
      category = value == cells.values.end() ? kNowhere : static_cast<std::int32_t>(value - cells.values.begin());
      categories[feature.column].insert(category);
    }
    sources.push_back({&cells, category});
  }
  for (const std::size_t column : columns) {
    const auto& [values, name] = std::tie(table.columns[column].values, schema.columns[column].name);
    for (std::size_t v = 0; v < values.size(); ++v) {
      expect(categories[name].contains(static_cast<std::int32_t>(v)),
             "column '{}': expected one of the categories that the model knows, found '{}'", printable(name), printable(values[v]));
    }
  }
  return sources;
}

}  // namespace

void check_feature_numbers(std::size_t rows, std::size_t features) {
  expect(rows == 0 || features <= kMostFeatureNumbers / rows,
         "workload.features: expected at most {} numbers, which are rows times features, found {} rows of {} features; each value of a "
         "workload.categorical column is a feature, and workload.ignored leaves columns out",
         kMostFeatureNumbers, rows, features);
}

FeatureMatrix feature_matrix(const TableData& table, const TableSchema& schema, std::span<const std::size_t> features,
                             std::span<const std::uint32_t> train, bool standardize) {
  std::vector<Feature> made;
  for (const std::size_t column : features) {
    const ColumnCells& cells = table.columns[column];
    const std::string& name = schema.columns[column].name;
    if (!schema.columns[column].category) {
      // A scale that nothing needs would tell of the training rows wherever the features are written.
      const bool needed = standardize || schema.columns[column].may_be_missing;
      made.push_back(
          {.column = name, .value = "", .scale = needed ? column_scale(cells.numbers, train) : ColumnScale(), .standardized = standardize});
      continue;
    }
    expect(cells.values.size() <= kMostCategories,
           "workload.categorical: expected columns of at most {} different values, found {} in '{}'", kMostCategories, cells.values.size(),
           printable(name));
    const std::vector<bool> seen = seen_categories(cells, train);
    for (std::size_t v = 0; v < cells.values.size(); ++v) {
      made.push_back({.column = name, .category = true, .value = cells.values[v], .seen = seen[v], .scale = {}});
    }
  }
  return feature_matrix(table, schema, features, std::move(made));
}

FeatureMatrix feature_matrix(const TableData& table, const TableSchema& schema, std::span<const std::size_t> columns,
                             std::vector<Feature> features) {
  FeatureMatrix matrix{.features = std::move(features), .values = {}};
  const std::vector<Source> sources = sources_of(matrix.features, table, schema, columns);
  const std::size_t rows = table.num_rows();
  check_feature_numbers(rows, sources.size());
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
