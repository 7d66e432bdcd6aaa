#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

namespace paretofl {

/// The name of one random stream: its coordinates.
struct StreamId {
  std::uint64_t seed = 0;
  std::uint32_t round = 0;
  std::uint32_t client = 0;
};

/// Client coordinate of the streams the server draws from.
inline constexpr std::uint32_t kServerStream = 0xffffffffU;

/// A counter-based random stream: Philox4x32-10 (Salmon et al. 2011) keyed by the seed, with the
/// counter (block, purpose, client, round). Two streams that differ in any coordinate are
/// independent, so results do not depend on which thread draws when. 2^34 draws per stream. Meets
/// UniformRandomBitGenerator, but use the members below: the standard distributions are not
/// specified to the bit.
class Random {
 public:
  using result_type = std::uint32_t;

  Random(StreamId id, std::string_view purpose);

  /// The stream of the same coordinates for a sub-purpose, such as one local step.
  Random substream(std::string_view purpose, std::uint64_t index = 0) const;

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  double uniform();                          ///< in [0, 1), 53 bits
  double uniform(double low, double high);   ///< in [low, high), or high itself by rounding
  std::uint64_t below(std::uint64_t bound);  ///< unbiased in [0, bound), bound > 0
  double normal();                           ///< standard normal (Box-Muller)
  double gamma(double shape);                ///< Gamma(shape, 1), shape > 0 (Marsaglia and Tsang 2000)
  std::vector<double> dirichlet(std::span<const double> concentration);

  template <class T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }
  /// `count` distinct indices of [0, population), in the order drawn.
  std::vector<std::size_t> sample_without_replacement(std::size_t population, std::size_t count);

  /// For what computes the same draws elsewhere, such as on a device: draws 4 b .. 4 b + 3 of a fresh stream are
  /// philox4x32({counter[0] + b, counter[1], counter[2], counter[3]}, key). Once a stream has drawn, its counter is that of the next block.
  const std::array<std::uint32_t, 2>& key() const { return key_; }
  const std::array<std::uint32_t, 4>& counter() const { return counter_; }

 private:
  void refill();

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
};

/// One block of Philox4x32-10, as published (known-answer vectors in tests/core).
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

}  // namespace paretofl
