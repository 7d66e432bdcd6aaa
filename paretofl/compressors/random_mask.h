#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

struct RandomMaskOptions {
  bool two_way = false;
  double budget = 1;  ///< size of a sketch, as a multiple of d numbers
  bool scale = true;  ///< whether kept entries come back scaled up for those that are not

  void describe(OptionVisitor& visit);
};

/// Sends k entries of the jacobian [M, d] at uniformly random positions, which a seed of two numbers
/// tells: k = budget * d - 2, at least 1. The reconstruction has these entries times M d / k and
/// zeros elsewhere, so it is unbiased. Without `scale` it has them as they are: it is biased, with a smaller error for one client, but not
/// for the mean of many. One of FedCMOO's comparisons (appendix B, Table 3), which does not say whether it scales.
class RandomMaskCompressor : public Compressor {
 public:
  explicit RandomMaskCompressor(const RandomMaskOptions& options) : options_(options) {}

  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const override { return 2 + kept(objectives, dimension); }
  GramianProtocol protocol() const override { return options_.two_way ? GramianProtocol::kTwoWay : GramianProtocol::kOneWay; }
  std::map<std::string, std::size_t> summable(std::size_t objectives, std::size_t dimension) const override {
    return {{"values", kept(objectives, dimension)}};
  }

 private:
  std::size_t kept(std::size_t objectives, std::size_t dimension) const;

  RandomMaskOptions options_;
};

}  // namespace paretofl
