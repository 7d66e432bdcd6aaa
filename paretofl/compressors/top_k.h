#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

struct TopKOptions {
  bool two_way = false;
  double budget = 1;  ///< size of a sketch, as a multiple of d numbers; sets k

  void describe(OptionVisitor& visit);
};

/// Sends the k entries of the jacobian [M, d] that are largest in magnitude (the first of equal ones);
/// the rest count as zero. Where they lie is told by one bit per entry, or by a list of positions of
/// ceil(log2(M d)) bits each, whichever leaves room for more: k is the largest (at least 1) whose
/// values and positions hold at most budget * d numbers; as a list it may be one less. One of FedCMOO's comparisons (appendix B,
/// Table 3); biased. Throws Error on entries that are not finite.
class TopKCompressor : public Compressor {
 public:
  explicit TopKCompressor(const TopKOptions& options) : options_(options) {}

  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const override;
  GramianProtocol protocol() const override { return options_.two_way ? GramianProtocol::kTwoWay : GramianProtocol::kOneWay; }

 private:
  struct Plan {
    std::size_t kept;
    unsigned position_bits;  ///< 0: one bit per entry instead of positions
  };
  Plan plan(std::size_t entries, std::size_t objectives) const;

  TopKOptions options_;
};

}  // namespace paretofl
