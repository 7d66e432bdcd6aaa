#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <span>
#include <vector>

#include "paretofl/language/cache_place.h"
#include "paretofl/language/packed_attention_torch.h"

namespace paretofl {

/// Keys and values of consecutive tokens, a row per sequence; zeros where there is none yet. The capacity is rounded up to
/// a multiple of kLanes.
struct KvCache {
  KvCache(const LanguageModelConfig& config, std::int64_t rows, std::int64_t capacity, const at::Tensor& like);

  std::vector<at::Tensor> keys;    ///< per layer [rows, key-value heads, head_dim, capacity]
  std::vector<at::Tensor> values;  ///< per layer [rows, key-value heads, capacity, head_dim]

  /// Keeps these rows [n] alone.
  void select(const at::Tensor& rows);
};

/// Packed attention over prompts that writes what it sees into a cache, a row per prompt.
class PrefillAttention final : public DecoderAttention {
 public:
  PrefillAttention(KvCache& cache, std::vector<std::int64_t> lengths) : cache_(cache), packed_(std::move(lengths)) {}

  at::Tensor attend(std::size_t layer, const AttentionRule& rule, const at::Tensor& queries, const at::Tensor& keys,
                    const at::Tensor& values) override;

 private:
  KvCache& cache_;
  PackedAttention packed_;
};

/// One more token of sequences at `places` [n]: row i of the drawn tokens' cache is that of places[i]. Every row of the
/// prompts' cache is read once for all sequences behind it, by one product. Throws Error unless all have drawn equally many tokens before.
class StepAttention final : public DecoderAttention {
 public:
  StepAttention(const KvCache& prompts, KvCache& drawn, std::span<const CachePlace> places);

  at::Tensor attend(std::size_t layer, const AttentionRule& rule, const at::Tensor& queries, const at::Tensor& keys,
                    const at::Tensor& values) override;

 private:
  /// [n, heads, a] x [prompts, pairs, a, b] -> [n, heads, b], each sequence's heads by those of its prompt.
  at::Tensor by_prompt(const at::Tensor& x, const at::Tensor& of_prompts) const;

  /// Added to scores: 0 where a token is seen.
  const at::Tensor& mask(std::int64_t window);

  const KvCache& prompts_;
  KvCache& drawn_;
  std::int64_t drawn_before_;
  std::int64_t longest_prompt_ = 0;
  at::Tensor prompt_lengths_;                 // [n, 1]
  std::map<std::int64_t, at::Tensor> masks_;  // by window: [n, 1, longest_prompt + drawn_before + 1]
  at::Tensor members_;                        // [prompts * largest group] sequences behind each prompt, repeated up to the largest group
  at::Tensor slots_;                          // [n] of the sequences among the members
};

}  // namespace paretofl
