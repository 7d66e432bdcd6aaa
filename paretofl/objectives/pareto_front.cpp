#include "paretofl/objectives/pareto_front.h"

#include <algorithm>
#include <numeric>

namespace paretofl {
namespace {

bool equal(std::span<const double> a, std::span<const double> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

// Lexicographically descending, ties by index: whatever dominates a point comes before it, and equal
// points are neighbours.
std::vector<std::size_t> descending_order(const PointSet& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto x = points[a];
    const auto y = points[b];
    const auto [in_x, in_y] = std::mismatch(x.begin(), x.end(), y.begin());
    return in_x == x.end() ? a < b : *in_x > *in_y;
  });
  return order;
}

// Expects points to maximize.
std::vector<std::size_t> front_of(const PointSet& points, bool keep_duplicates) {
  std::vector<std::size_t> front;
  std::vector<std::size_t> distinct;
  for (const std::size_t i : descending_order(points)) {
    const auto point = points[i];
    if (!distinct.empty() && equal(points[distinct.back()], point)) {
      if (keep_duplicates) front.push_back(i);
      continue;
    }
    const auto beats = [&](std::size_t j) { return dominates(points[j], point); };
    // With M <= 2 the last front point has the highest second objective so far, so it decides alone.
    const bool dominated =
        points.objectives() <= 2 ? !distinct.empty() && beats(distinct.back()) : std::any_of(distinct.begin(), distinct.end(), beats);
    if (dominated) continue;
    distinct.push_back(i);
    front.push_back(i);
  }
  std::sort(front.begin(), front.end());
  return front;
}

}  // namespace

bool dominates(std::span<const double> a, std::span<const double> b) {
  bool higher = false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] < b[k]) return false;
    higher = higher || a[k] > b[k];
  }
  return higher;
}

std::vector<std::size_t> pareto_front(const PointSet& points, std::span<const Direction> directions) {
  return front_of(points.maximized(directions), true);
}

std::vector<std::size_t> distinct_pareto_front(const PointSet& points, std::span<const Direction> directions) {
  return front_of(points.maximized(directions), false);
}

std::size_t cardinality(const PointSet& points, std::span<const Direction> directions) {
  return distinct_pareto_front(points, directions).size();
}

}  // namespace paretofl
