#include "paretofl/models/initialize.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {

void initialize_by_fan_in(const Layout& layout, const Random& random, std::span<float> parameters) {
  expect(parameters.size() == layout.size(), "initialize: expected room for {} parameters, found {}", layout.size(), parameters.size());
  double bound = 0;
  for (const Slice& slice : layout.slices()) {
    if (slice.shape.size() > 1) bound = 1 / std::sqrt(static_cast<double>(slice.range.size()) / static_cast<double>(slice.shape[0]));
    Random stream = random.substream(slice.name);
    for (float& x : parameters.subspan(slice.range.begin, slice.range.size())) x = static_cast<float>(stream.uniform(-bound, bound));
  }
}

}  // namespace paretofl
