#include "paretofl/classifiers/relative_buckets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace paretofl {
namespace {

std::int64_t bucket(std::int64_t distance, std::int64_t buckets, std::int64_t max_distance) {
  const std::int64_t middle = buckets / 2;
  const std::int64_t size = std::abs(distance);
  if (size <= middle) return distance;
  const auto near = static_cast<double>(middle);
  const double shared =
      std::ceil(std::log(static_cast<double>(size) / near) / std::log(static_cast<double>(max_distance - 1) / near) * (near - 1));
  const std::int64_t far = static_cast<std::int64_t>(shared) + middle;
  return distance < 0 ? -far : far;
}

}  // namespace

std::vector<std::int64_t> relative_rows(std::int64_t length, std::int64_t buckets, std::int64_t max_distance) {
  std::vector<std::int64_t> rows;
  for (std::int64_t distance = 1 - length; distance < length; ++distance) {
    rows.push_back(std::clamp<std::int64_t>(bucket(distance, buckets, max_distance) + buckets, 0, 2 * buckets - 1));
  }
  return rows;
}

}  // namespace paretofl
