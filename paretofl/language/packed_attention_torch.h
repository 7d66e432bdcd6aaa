#pragma once

#include <vector>

#include "paretofl/language/decoder_torch.h"

namespace paretofl {

/// Causal attention within each of the sequences of these lengths, which follow one another without padding.
class PackedAttention : public DecoderAttention {
 public:
  explicit PackedAttention(std::vector<std::int64_t> lengths) : lengths_(std::move(lengths)) {}

  at::Tensor attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values) override;

  const std::vector<std::int64_t>& lengths() const { return lengths_; }

 private:
  at::Tensor mask(std::int64_t length, const at::Tensor& like);

  std::vector<std::int64_t> lengths_;
  at::Tensor mask_;  // [T, T] of the last length: 0 up to the diagonal, -infinity above
};

}  // namespace paretofl
