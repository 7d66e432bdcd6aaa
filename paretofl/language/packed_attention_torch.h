#pragma once

#include <utility>
#include <vector>

#include "paretofl/language/decoder_ops_torch.h"
#include "paretofl/language/decoder_torch.h"

namespace paretofl {

/// Causal attention within each of the sequences of these lengths, of T tokens in all, which follow one another without padding.
class PackedAttention : public DecoderAttention {
 public:
  explicit PackedAttention(std::vector<std::int64_t> lengths) : lengths_(std::move(lengths)) {}

  /// Sequences that share some of the N tokens that are computed: places [T] says which of them each token of a sequence is, and
  /// uses [N] where each computed token stands in one of the sequences, in which the tokens before `firsts` are used nowhere.
  PackedAttention(std::vector<std::int64_t> lengths, at::Tensor places, at::Tensor uses, std::vector<std::int64_t> firsts)
      : lengths_(std::move(lengths)), places_(std::move(places)), uses_(std::move(uses)), firsts_(std::move(firsts)) {}

  at::Tensor attend(std::size_t /*layer*/, const AttentionRule& rule, const at::Tensor& queries, const at::Tensor& keys,
                    const at::Tensor& values) override {
    if (!places_.defined()) return causal_attention(queries, keys, values, lengths_, rule);
    const auto whole = [this](const at::Tensor& x) { return x.index_select(0, places_); };
    return causal_attention(whole(queries), whole(keys), whole(values), lengths_, rule, firsts_).index_select(0, uses_);
  }

  const std::vector<std::int64_t>& lengths() const { return lengths_; }

 private:
  std::vector<std::int64_t> lengths_;
  at::Tensor places_;
  at::Tensor uses_;
  std::vector<std::int64_t> firsts_;
};

}  // namespace paretofl
