#include "paretofl/workloads/constant_output.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"

namespace paretofl {

std::vector<double> constant_output(const TargetValues& values, std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> known;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(known), [&](std::uint32_t row) { return values.known[row] != 0; });
  expect(!known.empty(), "constant output: expected a row with a value, found none");
  const auto count = static_cast<double>(known.size());
  if (values.head.has_labels()) {
    std::vector<double> counts(values.head.label_values());
    for (const std::uint32_t row : known) counts[values.labels[row]] += 1;
    for (double& n : counts) n = std::log(std::max(n, 0.5) / count);
    if (values.head.loss == Loss::kBinary) return {counts[1] - counts[0]};
    return counts;
  }
  std::vector<double> targets;
  for (const std::uint32_t row : known) targets.push_back(static_cast<double>(values.targets[row]));
  if (values.head.loss == Loss::kSquaredError) return {std::accumulate(targets.begin(), targets.end(), 0.0) / count};
  const double level = values.head.loss == Loss::kQuantile ? values.head.level : 0.5;
  const auto place = static_cast<std::ptrdiff_t>(std::max(std::ceil(level * count), 1.0)) - 1;
  std::nth_element(targets.begin(), targets.begin() + place, targets.end());
  return {targets[static_cast<std::size_t>(place)]};
}

}  // namespace paretofl
