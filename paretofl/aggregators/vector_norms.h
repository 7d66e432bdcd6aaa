#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace paretofl {

/// ||a - b||_2, in double precision, which squares of any finite floats fit.
template <class A, class B>
double distance(std::span<const A> a, std::span<const B> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double difference = static_cast<double>(a[j]) - static_cast<double>(b[j]);
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

/// ||a||_2
inline double norm(std::span<const float> a) {
  double sum = 0;
  for (const float x : a) sum += static_cast<double>(x) * x;
  return std::sqrt(sum);
}

}  // namespace paretofl
