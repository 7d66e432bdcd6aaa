#include "paretofl/objectives/expected_utility.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// What each preference has of the best point for it, [n].
std::vector<double> best_utilities(const PointSet& points, std::span<const Preference> preferences, std::span<const Direction> directions,
                                   const char* what) {
  expect(points.size() > 0, "{}: expected at least 1 point, found 0", what);
  expect(!preferences.empty(), "{}: expected at least 1 preference, found 0", what);
  const PointSet maximized = points.maximized(directions);
  std::vector<double> utilities;
  for (const Preference& preference : preferences) {
    expect(preference.size() == points.objectives(), "{}: expected preferences of {} weights, found {}", what, points.objectives(),
           preference.size());
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < maximized.size(); ++i) best = std::max(best, preference.scalarize(maximized[i]));
    utilities.push_back(best);
  }
  return utilities;
}

}  // namespace

double expected_utility(const PointSet& points, std::span<const Preference> preferences, std::span<const Direction> directions) {
  double sum = 0;
  for (const double utility : best_utilities(points, preferences, directions, "expected utility")) sum += utility;
  expect(std::isfinite(sum), "expected utility: expected a sum within a double's range, found {}", sum);
  return sum / static_cast<double>(preferences.size());
}

double maximum_utility_loss(const PointSet& points, const PointSet& reference_set, std::span<const Preference> preferences,
                            std::span<const Direction> directions) {
  expect(points.objectives() == reference_set.objectives(), "maximum utility loss: expected a reference set of {} objectives, found {}",
         points.objectives(), reference_set.objectives());
  const std::vector<double> own = best_utilities(points, preferences, directions, "maximum utility loss");
  const std::vector<double> reference = best_utilities(reference_set, preferences, directions, "maximum utility loss");
  double loss = -std::numeric_limits<double>::infinity();
  for (std::size_t w = 0; w < own.size(); ++w) loss = std::max(loss, reference[w] - own[w]);
  expect(std::isfinite(loss), "maximum utility loss: expected a difference within a double's range, found {}", loss);
  return loss;
}

}  // namespace paretofl
