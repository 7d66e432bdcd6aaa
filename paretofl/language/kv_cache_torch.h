#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "paretofl/language/packed_attention_torch.h"

namespace paretofl {

/// Keys and values of the tokens so far, one row per sequence that grows; zeros where there is none yet. The capacity is
/// rounded up to a multiple of kLanes.
struct KvCache {
  KvCache(const LanguageModelConfig& config, std::int64_t rows, std::int64_t capacity, const at::Tensor& like);

  std::vector<at::Tensor> keys;    ///< per layer [rows, key-value heads, head_dim, capacity]
  std::vector<at::Tensor> values;  ///< per layer [rows, key-value heads, capacity, head_dim]

  /// Keeps these rows [n] alone.
  void select(const at::Tensor& rows);
};

/// Packed attention over prompts that writes what it sees into a cache: prompt s into all of rows[s].
class PrefillAttention final : public DecoderAttention {
 public:
  PrefillAttention(KvCache& cache, std::vector<std::int64_t> lengths, std::vector<std::vector<std::int64_t>> rows)
      : cache_(cache), packed_(std::move(lengths)), rows_(std::move(rows)) {}

  at::Tensor attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values) override;

 private:
  KvCache& cache_;
  PackedAttention packed_;
  std::vector<std::vector<std::int64_t>> rows_;
};

/// One more token of every row of a cache: `lengths` [rows] tokens are in it.
class StepAttention final : public DecoderAttention {
 public:
  StepAttention(KvCache& cache, const std::vector<std::int64_t>& lengths);

  at::Tensor attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values) override;

 private:
  KvCache& cache_;
  std::int64_t longest_;
  at::Tensor lengths_;  // [rows]
  at::Tensor mask_;     // [rows, 1, longest + 1]
};

}  // namespace paretofl
