#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "paretofl/objectives/direction.h"

namespace paretofl {

/// n points in objective space, such as one vector of returns per client: row-major [n, M], finite.
class PointSet {
 public:
  /// Throws Error unless M >= 1, the count of values is a multiple of M, and every value is finite.
  PointSet(std::size_t objectives, std::vector<double> values);

  std::size_t size() const { return values_.size() / objectives_; }  ///< n
  std::size_t objectives() const { return objectives_; }             ///< M
  std::span<const double> operator[](std::size_t i) const { return std::span(values_).subspan(i * objectives_, objectives_); }

  /// The rows of those indices, in that order.
  PointSet rows(std::span<const std::size_t> indices) const;
  /// The same points with minimized objectives negated, so that higher is better throughout. No
  /// directions [0] means that all are maximized; throws Error unless there are 0 or M of them.
  PointSet maximized(std::span<const Direction> directions) const;

 private:
  std::size_t objectives_;
  std::vector<double> values_;
};

}  // namespace paretofl
