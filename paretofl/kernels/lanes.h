#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace paretofl {

/// How many samples the kernels of this folder work on side by side: the width of the widest vector
/// register of the instruction set compiled for.
#if defined(__AVX512F__) || defined(PARETOFL_AVX512)
inline constexpr std::size_t kLanes = 16;
#elif defined(__AVX__)
inline constexpr std::size_t kLanes = 8;
#else
inline constexpr std::size_t kLanes = 4;
#endif

/// One number of kLanes samples. Activations are arrays [C, H, W] of Lanes, that is float32
/// [C, H, W, kLanes] with the samples innermost, so that every layer is plain arithmetic on Lanes and no
/// sample ever meets another one, except in the gradients with respect to the parameters.
using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));
/// An integer, or the result of a comparison (-1 is true), for each of kLanes samples.
using LaneInts = std::int32_t __attribute__((vector_size(kLanes * sizeof(float))));

/// From and to the first `count` of kLanes numbers, wherever they lie; zeros for the others.
inline Lanes load_lanes(const float* from, std::size_t count = kLanes) {
  Lanes lanes{};
  std::memcpy(&lanes, from, count * sizeof(float));
  return lanes;
}
inline void store_lanes(float* to, Lanes lanes, std::size_t count = kLanes) { std::memcpy(to, &lanes, count * sizeof(float)); }

/// `count` rounded up to whole registers.
inline constexpr std::size_t whole_lanes(std::size_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

inline Lanes relu(Lanes x) { return x < 0 ? Lanes{} : x; }

/// Sums over the samples of a batch are taken this many at a time, so that AVX2 and AVX-512 give the same bits.
inline constexpr std::size_t kSumLanes = kLanes < 8 ? kLanes : 8;

/// Calls part(first, number) for the parts of `count` samples that are summed at a time.
template <class Part>
inline void for_each_sum_part(std::size_t count, const Part& part) {
  for (std::size_t first = 0; first < count; first += kSumLanes) part(first, count - first < kSumLanes ? count - first : kSumLanes);
}

/// Adds the sums over the samples: those of each part to a number of its own, part_stride apart, or with 0 to one.
inline void add_lanes(float* to, Lanes x, std::size_t part_stride = 0) {
  for_each_sum_part(kLanes, [&](std::size_t first, std::size_t number) {
    float sum = 0;
    for (std::size_t n = first; n < first + number; ++n) sum += x[n];
    to[first / kSumLanes * part_stride] += sum;
  });
}

/// The sum over the samples.
inline float sum_lanes(Lanes x) {
  float sum = 0;
  for (std::size_t n = 0; n < kLanes; ++n) sum += x[n];
  return sum;
}

}  // namespace paretofl
