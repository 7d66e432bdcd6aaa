#pragma once

#include <cstddef>
#include <span>

namespace paretofl {

/// Inner product of vectors [d], summed in double precision in the order of the entries.
inline double dot_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// ||a||^2 of a vector [d].
inline double squared_norm(std::span<const float> a) { return dot_product(a, a); }

/// a += factor * b, of vectors [d].
inline void add_scaled(std::span<float> a, double factor, std::span<const float> b) {
  const auto scale = static_cast<float>(factor);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += scale * b[i];
}

}  // namespace paretofl
