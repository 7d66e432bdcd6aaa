#include "paretofl/kernels/dropout_mask.h"

namespace paretofl {

void DropoutMask::draw(Random stream, std::size_t units, std::size_t samples) {
  samples_ = samples;
  words_.resize((units * samples + 31) / 32);
  for (std::uint32_t& word : words_) word = stream();
  words_.push_back(0);  // factors() reads two words
}

float DropoutMask::factor(std::size_t unit, std::size_t sample) const {
  const std::size_t bit = unit * samples_ + sample;
  return (words_[bit / 32] >> (bit % 32) & 1U) != 0 ? kScale : 0;
}

Lanes DropoutMask::factors(std::size_t unit, std::size_t first) const {
  const std::size_t bit = unit * samples_ + first;
  const std::uint64_t two_words = std::uint64_t{words_[bit / 32 + 1]} << 32 | words_[bit / 32];
  const auto bits = static_cast<std::int32_t>(two_words >> (bit % 32));
  LaneInts lane{};
  for (std::size_t n = 0; n < kLanes; ++n) lane[n] = static_cast<std::int32_t>(n);
  return (((LaneInts{} + bits) >> lane) & 1) != 0 ? Lanes{} + kScale : Lanes{};
}

}  // namespace paretofl
