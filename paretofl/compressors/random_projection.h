#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

struct RandomProjectionOptions {
  bool two_way = false;
  double budget = 1;  ///< size of a sketch, as a multiple of d numbers

  void describe(OptionVisitor& visit);
};

/// A linear sketch (the count sketch of Charikar, Chen and Farach-Colton 2002, with one row): entry j of a gradient, times a random sign,
/// is added to number j mod r of the sketch, where r = (budget * d - 2) / M, at least 1; a seed of two numbers tells the signs. Inner
/// products of sketches, and so the Gramian of what is reconstructed, are without bias. Sketches by the same seed add up: the sum of the
/// clients' is that of their sum, so that the server needs the sum alone.
class RandomProjectionCompressor : public Compressor {
 public:
  explicit RandomProjectionCompressor(const RandomProjectionOptions& options) : options_(options) {}

  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  /// Entry j is its number of the sketch times its sign, divided by the square root of how many entries share that number.
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const override {
    return 2 + objectives * buckets(objectives, dimension);
  }
  GramianProtocol protocol() const override { return options_.two_way ? GramianProtocol::kTwoWay : GramianProtocol::kOneWay; }
  std::map<std::string, std::size_t> summable(std::size_t objectives, std::size_t dimension) const override {
    return {{"values", objectives * buckets(objectives, dimension)}};
  }

 private:
  std::size_t buckets(std::size_t objectives, std::size_t dimension) const;  ///< r

  RandomProjectionOptions options_;
};

}  // namespace paretofl
