#include "paretofl/optimization/shifted_gramian.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace paretofl {

Gramian shifted_gramian(const Gramian& gramian, std::span<const double> p, double t) {
  const std::size_t objectives = gramian.objectives();
  std::vector<double> products(objectives);  // <g_i, g_0>
  for (std::size_t i = 0; i < objectives; ++i) {
    products[i] = std::inner_product(p.begin(), p.end(), gramian.values().begin() + static_cast<std::ptrdiff_t>(i * objectives), 0.0);
  }
  const double squared = std::max(0.0, std::inner_product(p.begin(), p.end(), products.begin(), 0.0));
  Gramian shifted = gramian;
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t j = 0; j < objectives; ++j) shifted(i, j) += t * (products[i] + products[j]) + t * t * squared;
    shifted(i, i) = std::max(shifted(i, i), 0.0);
  }
  return shifted;
}

}  // namespace paretofl
