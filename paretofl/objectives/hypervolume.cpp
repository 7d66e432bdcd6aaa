#include "paretofl/objectives/hypervolume.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

// A box [0, corner]; only the first `dims` sides of a problem count.
using Box = std::array<double, kMaxHypervolumeObjectives>;
using Boxes = std::vector<Box>;

// The area under a staircase of boxes [0, x] x [0, y], as boxes come.
class Staircase {
 public:
  double area() const { return area_; }

  // Whether the box was not yet covered.
  bool add(double x, double y) {
    auto right = corners_.lower_bound(x);  // the first corner at x or further out
    const double covered = right == corners_.end() ? 0.0 : right->second;
    if (y <= covered) return false;
    double height = covered;
    double edge = x;
    while (right != corners_.begin()) {
      const auto left = std::prev(right);
      if (left->second > y) break;
      area_ += (edge - left->first) * (y - height);
      height = left->second;
      edge = left->first;
      corners_.erase(left);
    }
    const double wall = right == corners_.begin() ? 0.0 : std::prev(right)->first;
    area_ += (edge - wall) * (y - height);
    corners_.insert_or_assign(x, y);
    return true;
  }

 private:
  std::map<double, double> corners_;  // x -> y; y falls as x grows
  double area_ = 0;
};

// Boxes in descending order of side `k`, a box before those it contains.
void sort_by_side(Boxes& boxes, std::size_t k) {
  std::sort(boxes.begin(), boxes.end(), [k](const Box& a, const Box& b) { return a[k] != b[k] ? a[k] > b[k] : a > b; });
}

double area_of_union(Boxes boxes) {
  sort_by_side(boxes, 0);
  double area = 0;
  double height = 0;
  for (const Box& box : boxes) {
    if (box[1] <= height) continue;
    area += box[0] * (box[1] - height);
    height = box[1];
  }
  return area;
}

// Slices along the third side: between two values of it the cross-section is a staircase. Contained
// boxes don't change it and make no slice, so they don't change the rounding either.
double volume_of_union(Boxes boxes) {
  sort_by_side(boxes, 2);
  Staircase section;
  double volume = 0;
  double top = 0;
  for (const Box& box : boxes) {
    const double area = section.area();
    if (!section.add(box[0], box[1])) continue;
    volume += area * (top - box[2]);
    top = box[2];
  }
  return volume + section.area() * top;
}

// Leaves the boxes that no other box contains, one of each.
void drop_contained(Boxes& boxes, std::size_t dims) {
  std::sort(boxes.begin(), boxes.end(), std::greater<>());
  std::size_t kept = 0;
  for (const Box& box : boxes) {
    const auto contains = [&](const Box& other) { return std::equal(box.begin(), box.begin() + dims, other.begin(), std::less_equal<>()); };
    if (std::none_of(boxes.begin(), boxes.begin() + kept, contains)) boxes[kept++] = box;
  }
  boxes.resize(kept);
}

double measure_of_union(Boxes boxes, std::size_t dims) {
  if (dims == 2) return area_of_union(std::move(boxes));
  if (dims == 3) return volume_of_union(std::move(boxes));
  // What a box adds to those that reach further along the last side is its own length there times a
  // measure of one dimension less.
  const std::size_t last = dims - 1;
  drop_contained(boxes, dims);
  sort_by_side(boxes, last);
  double total = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i];
    double own = 1;
    for (std::size_t k = 0; k < last; ++k) own *= box[k];
    Boxes shared(boxes.begin(), boxes.begin() + i);
    for (Box& other : shared) {
      for (std::size_t k = 0; k < last; ++k) other[k] = std::min(other[k], box[k]);
      other[last] = 0;
    }
    total += box[last] * std::max(0.0, own - measure_of_union(std::move(shared), last));
  }
  return total;
}

}  // namespace

double hypervolume(const PointSet& points, std::span<const double> reference, std::span<const Direction> directions) {
  const std::size_t dims = points.objectives();
  expect(dims <= kMaxHypervolumeObjectives, "hypervolume: expected at most {} objectives, found {}", kMaxHypervolumeObjectives, dims);
  expect(reference.size() == dims, "hypervolume: expected a reference point of {} numbers, found {}", dims, reference.size());
  const PointSet corners = points.maximized(directions);
  const PointSet origin = PointSet(dims, {reference.begin(), reference.end()}).maximized(directions);

  Boxes boxes;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (!std::equal(corners[i].begin(), corners[i].end(), origin[0].begin(), std::greater<>())) continue;
    Box box{};
    std::transform(corners[i].begin(), corners[i].end(), origin[0].begin(), box.begin(), std::minus<>());
    // One objective is two with a second side of length 1.
    if (dims == 1) box[1] = 1;
    boxes.push_back(box);
  }
  const std::size_t sides = std::max<std::size_t>(dims, 2);
  double bound = 1;
  for (std::size_t k = 0; k < sides; ++k) {
    bound *= std::accumulate(boxes.begin(), boxes.end(), 0.0, [k](double side, const Box& box) { return std::max(side, box[k]); });
  }
  expect(std::isfinite(bound), "hypervolume: expected points and reference whose volume is within a double's range, found {}", bound);
  return measure_of_union(std::move(boxes), sides);
}

}  // namespace paretofl
