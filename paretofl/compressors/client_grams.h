#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

/// Sends only the client's own Gramian [M, M], in double precision; the server takes 1/n^2 of their sum,
/// the terms i = j of equation (13), which ignores what clients' gradients have in common. One of
/// FedCMOO's comparisons (appendix B, Table 3), "with a proper scale": this one is exact for clients whose
/// gradients are orthogonal, and too small by n for clients that agree. Nothing can be reconstructed.
class ClientGramsCompressor : public Compressor {
 public:
  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  /// Always throws Error.
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t) const override { return 2 * objectives * objectives; }
  GramianProtocol protocol() const override { return GramianProtocol::kOwnGramians; }
  std::map<std::string, std::size_t> summable(std::size_t objectives, std::size_t) const override {
    return {{"gramian", objectives * objectives}};
  }
};

}  // namespace paretofl
