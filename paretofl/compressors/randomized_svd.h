#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

struct RandomizedSvdOptions {
  bool two_way = true;        ///< Algorithm 6, second option
  double budget = 1;          ///< size of a sketch, as a multiple of d numbers; sets the rank
  double oversampling = 0.1;  ///< extra sketch columns, as a fraction of the rank
  std::int64_t power_iterations = 2;

  void describe(OptionVisitor& visit);
};

/// FedCMOO's compressor (Algorithms 3 and 6): each objective's gradient is cut into pieces of about sqrt(d M) numbers, the last
/// one padded with zeros, and the pieces of all objectives are the rows of a nearly square matrix A. Pieces begin at the same
/// parameters for every objective, as in the authors' code, so that gradients which agree make A's rank low; the paper does not say how the
/// jacobian is reshaped. A is sent as a rank-r factorization A ~ Q B found by the randomized range finder with power iterations (Halko et
/// al. 2011, Algorithms 4.4 and 5.1). The rank r is the largest whose factors hold at most budget * d numbers (at least 1).
class RandomizedSvdCompressor : public Compressor {
 public:
  explicit RandomizedSvdCompressor(const RandomizedSvdOptions& options) : options_(options) {}

  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const override;
  GramianProtocol protocol() const override { return options_.two_way ? GramianProtocol::kTwoWay : GramianProtocol::kOneWay; }

 private:
  struct Shape {
    std::size_t rows;
    std::size_t columns;
    std::size_t rank;
    std::size_t padded;  // numbers of the rows of one objective
  };
  Shape shape(std::size_t objectives, std::size_t dimension) const;

  RandomizedSvdOptions options_;
};

}  // namespace paretofl
