#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

/// Sends only the client's own Gramian [M, M], in double precision; the server takes the mean of them,
/// which ignores what clients' gradients have in common or against each other. One of FedCMOO's
/// comparisons (appendix B, Table 3), "with a proper scale": the mean, which is exact when all clients
/// agree. Nothing can be reconstructed.
class ClientGramsCompressor : public Compressor {
 public:
  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  /// Always throws Error.
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t) const override { return 2 * objectives * objectives; }
  GramianProtocol protocol() const override { return GramianProtocol::kOwnGramians; }
};

}  // namespace paretofl
