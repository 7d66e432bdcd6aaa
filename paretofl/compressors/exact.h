#pragma once

#include "paretofl/compressors/compressor.h"

namespace paretofl {

/// No compression: M d numbers. The reference that the others are measured against.
class ExactCompressor : public Compressor {
 public:
  Record compress(std::span<const float> jacobian, std::size_t objectives, Random random) const override;
  void reconstruct(const Record& sketch, std::size_t objectives, std::span<float> jacobian) const override;
  std::size_t upload_numbers(std::size_t objectives, std::size_t dimension) const override { return objectives * dimension; }
  std::map<std::string, std::size_t> summable(std::size_t objectives, std::size_t dimension) const override {
    return {{"jacobian", objectives * dimension}};
  }
};

}  // namespace paretofl
