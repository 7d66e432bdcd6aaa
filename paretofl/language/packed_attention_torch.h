#pragma once

#include <vector>

#include "paretofl/language/decoder_ops_torch.h"
#include "paretofl/language/decoder_torch.h"

namespace paretofl {

/// Causal attention within each of the sequences of these lengths, which follow one another without padding.
class PackedAttention : public DecoderAttention {
 public:
  explicit PackedAttention(std::vector<std::int64_t> lengths) : lengths_(std::move(lengths)) {}

  at::Tensor attend(std::size_t /*layer*/, const AttentionRule& rule, const at::Tensor& queries, const at::Tensor& keys,
                    const at::Tensor& values) override {
    return causal_attention(queries, keys, values, lengths_, rule);
  }

  const std::vector<std::int64_t>& lengths() const { return lengths_; }

 private:
  std::vector<std::int64_t> lengths_;
};

}  // namespace paretofl
