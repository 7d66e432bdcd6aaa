#include "paretofl/evaluation/run_models.h"

#include <algorithm>

namespace paretofl {

bool RunModels::differ() const {
  for (int i = 1; clients != nullptr && i < clients->size(); ++i) {
    if (!std::ranges::equal(clients->of(i), clients->of(0))) return true;
  }
  return false;
}

}  // namespace paretofl
