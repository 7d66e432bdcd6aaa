#include "paretofl/objectives/delta_m.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

double delta_m(std::span<const double> method, std::span<const double> baseline, std::span<const Direction> directions) {
  expect(!method.empty(), "delta_m: expected at least 1 objective, found 0");
  expect(baseline.size() == method.size(), "delta_m: expected {} baseline scores, found {}", method.size(), baseline.size());
  expect(directions.size() == method.size(), "delta_m: expected {} directions, found {}", method.size(), directions.size());
  double sum = 0;
  for (std::size_t k = 0; k < method.size(); ++k) {
    expect(std::isfinite(method[k]), "delta_m: expected a finite score of objective {}, found {}", k, method[k]);
    expect(std::isfinite(baseline[k]) && baseline[k] > 0, "delta_m: expected a positive baseline score of objective {}, found {}", k,
           baseline[k]);
    const double gain = (method[k] - baseline[k]) / baseline[k];
    sum += directions[k] == Direction::kMaximize ? -gain : gain;
  }
  return sum / static_cast<double>(method.size());
}

}  // namespace paretofl
