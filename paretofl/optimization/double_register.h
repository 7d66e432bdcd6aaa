#pragma once

#include <cstddef>
#include <cstring>

namespace paretofl {

/// How many doubles a vector register holds. Sums over a fixed number of lanes, which decides their bits, are worked on this many lanes
/// at a time, so that those of a tile stay in registers whatever the processor.
#if defined(__AVX512F__)
inline constexpr std::size_t kRegister = 8;
#elif defined(__AVX__)
inline constexpr std::size_t kRegister = 4;
#else
inline constexpr std::size_t kRegister = 2;
#endif
using DoubleRegister = double __attribute__((vector_size(kRegister * sizeof(double))));

inline DoubleRegister load_register(const double* from) {
  DoubleRegister values;
  std::memcpy(&values, from, sizeof(values));
  return values;
}

/// The same for a value of several uses, for each of which g++ would otherwise load it again.
inline DoubleRegister load_once(const double* from) {
  DoubleRegister values = load_register(from);
#if defined(__x86_64__)
  asm("" : "+x"(values));
#endif
  return values;
}

}  // namespace paretofl
