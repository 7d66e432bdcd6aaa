#include "paretofl/core/summation.h"

namespace paretofl {

std::size_t SumSpec::size() const {
  std::size_t size = update + losses;
  for (const auto& [name, count] : figures) size += count;
  return size;
}

}  // namespace paretofl
