#include "paretofl/strategies/fedmoa_messages.h"

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl::fedmoa {

Record named(const NamedWeights& weights) {
  Record record;
  record.scalars = {weights.begin(), weights.end()};
  return record;
}

NamedWeights read_weights(const Record& record) {
  for (const auto& [name, w] : record.scalars) {
    expect(std::isfinite(w) && w >= 0, "fedmoa: expected weights of at least 0, found {} of '{}'", w, name);
  }
  return {record.scalars.begin(), record.scalars.end()};
}

}  // namespace paretofl::fedmoa
