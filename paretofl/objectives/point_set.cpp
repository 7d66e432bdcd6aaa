#include "paretofl/objectives/point_set.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

PointSet::PointSet(std::size_t objectives, std::vector<double> values) : objectives_(objectives), values_(std::move(values)) {
  expect(objectives_ > 0, "points: expected at least 1 objective, found 0");
  expect(values_.size() % objectives_ == 0, "points: expected a multiple of {} values, found {}", objectives_, values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i) {
    expect(std::isfinite(values_[i]), "points: expected finite values, found {} in row {}", values_[i], i / objectives_);
  }
}

PointSet PointSet::rows(std::span<const std::size_t> indices) const {
  std::vector<double> values;
  values.reserve(indices.size() * objectives_);
  for (const std::size_t i : indices) values.insert(values.end(), (*this)[i].begin(), (*this)[i].end());
  return {objectives_, std::move(values)};
}

PointSet PointSet::maximized(std::span<const Direction> directions) const {
  expect(directions.empty() || directions.size() == objectives_, "points: expected {} directions, found {}", objectives_,
         directions.size());
  PointSet result = *this;
  if (directions.empty()) return result;
  for (std::size_t i = 0; i < result.values_.size(); ++i) {
    if (directions[i % objectives_] == Direction::kMinimize) result.values_[i] = -result.values_[i];
  }
  return result;
}

}  // namespace paretofl
