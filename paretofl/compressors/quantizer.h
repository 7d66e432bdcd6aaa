#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

struct QuantizerOptions {
  double budget = 1;  ///< size of a sketch, as a multiple of d numbers; sets the bits per entry

  void describe(OptionVisitor& visit);
};

/// Stochastic uniform quantization, row by row: with s the row's largest magnitude and L = 2^(b-1) - 1,
/// entry x is sent as an integer q in [-L, L], one of the two next to L x / s, drawn so that the
/// reconstruction s q / L is unbiased (QSGD, Alistarh et al. 2017, with the maximum norm). Its variance
/// per row is at most d / (4 L^2) ||x||^2, so it meets FedCMOO's Assumption 5. Entries take
/// b = floor(32 budget / M) bits, between 2 and 16: beyond M = 16 budget a sketch is larger than the
/// budget. Throws Error on entries that are not finite.
class QuantizerCompressor : public Compressor {
 public:
  explicit QuantizerCompressor(const QuantizerOptions& options) : options_(options) {}

  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const override;

 private:
  unsigned bits(std::size_t objectives) const;

  QuantizerOptions options_;
};

}  // namespace paretofl
