#include "paretofl/privacy/clipped_sums.h"

#include <atomic>
#include <cmath>

#include "paretofl/core/standard_streams.h"

namespace paretofl {
namespace {

void warn_of_sample() {
  static std::atomic<bool> warned = false;
  if (!warned.exchange(true)) warn("privacy.example_clip: a sample's losses or gradient are not finite, and count as zero");
}

template <class T>
void add_vector(std::span<const T> vector, double bound, std::span<double> sum) {
  double square = 0;
  for (const T x : vector) square += static_cast<double>(x) * static_cast<double>(x);
  if (!std::isfinite(square)) return warn_of_sample();
  const double factor = clipping(square, bound);
  for (std::size_t i = 0; i < vector.size(); ++i) sum[i] += factor * static_cast<double>(vector[i]);
}

}  // namespace

double clipping(double squared_norm, double bound) {
  if (!std::isfinite(squared_norm)) throw NotFiniteSample();
  const double norm = std::sqrt(squared_norm);
  return norm > bound ? bound / norm : 1;
}

void add_clipped_losses(std::span<const double> losses, const ClippedSums& sums) {
  for (const double loss : losses) {
    expect(!(loss < 0), "privacy.example_clip: expected losses of at least 0 for each sample, found a smaller one");
  }
  add_vector(losses, sums.loss_clip, sums.losses);
}

void add_clipped(std::span<const double> losses, std::span<const float> gradients, std::size_t vectors, const ClippedSums& sums) {
  add_clipped_losses(losses, sums);
  const std::size_t width = gradients.size() / vectors;
  for (std::size_t v = 0; v < vectors; ++v)
    add_vector(gradients.subspan(v * width, width), sums.clip, sums.gradients.subspan(v * width, width));
}

}  // namespace paretofl
