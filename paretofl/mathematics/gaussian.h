#pragma once

#include <gmpxx.h>

namespace paretofl {

/// A complex number with rational parts.
struct Gaussian {
  mpq_class real = 0;
  mpq_class imaginary = 0;

  bool is_zero() const { return real == 0 && imaginary == 0; }
  bool is_real() const { return imaginary == 0; }
  bool operator==(const Gaussian& other) const { return real == other.real && imaginary == other.imaginary; }
};

inline Gaussian operator+(const Gaussian& a, const Gaussian& b) { return {a.real + b.real, a.imaginary + b.imaginary}; }

inline Gaussian operator*(const Gaussian& a, const Gaussian& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

/// 1 / a, where a is not 0.
inline Gaussian inverse(const Gaussian& a) {
  const mpq_class square = a.real * a.real + a.imaginary * a.imaginary;
  return {a.real / square, -a.imaginary / square};
}

}  // namespace paretofl
