#pragma once

namespace paretofl {

inline constexpr double kSmallestSampleCount = 1e-9;
inline constexpr double kLargestSampleCount = 1e15;

/// Whether a number of samples that a client claims can be a weight: sums and products of such numbers neither overflow nor vanish.
inline bool is_sample_count(double count) { return count >= kSmallestSampleCount && count <= kLargestSampleCount; }

}  // namespace paretofl
