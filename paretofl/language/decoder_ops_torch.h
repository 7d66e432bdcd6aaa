#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace paretofl {

// What a decoder's layers do besides matrix products, differentiable once. For float32 on the CPU these are kernels with
// gradients of their own (decoder_kernels.h, attention_kernels.h); elsewhere they are made of LibTorch's operations.

/// x / sqrt(mean(x^2) + epsilon) * weight for rows x [N, H] (Zhang and Sennrich 2019), in float32 at least.
at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double epsilon);

/// An activation by its name in LanguageModelConfig: "silu", "gelu", "gelu_new", "relu" or "tanh".
at::Tensor activate(const std::string& name, const at::Tensor& x);

/// silu(x) * factors (SwiGLU, Shazeer 2020).
at::Tensor silu_gate(const at::Tensor& x, const at::Tensor& factors);

/// Rotary positions (Su et al. 2021): turns number i of each head of x [N, heads, head_dim] with number i + head_dim / 2; cosines and sines
/// [N, 1, head_dim / 2], contiguous.
at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosines, const at::Tensor& sines);

/// Whether x is one of those that have kernels.
bool has_kernels(const at::Tensor& x);

/// What a layer's attention is besides causal, with scores q k' / sqrt(head_dim).
struct AttentionRule {
  std::int64_t window = 0;  ///< last tokens that a token sees, its own included; 0: all
  double cap = 0;           ///< c > 0: scores s become c tanh(s / c) (Gemma 2); 0: they stay
};

/// Attention within sequences of these lengths, which follow one another: queries [N, heads, head_dim], keys and values
/// [N, key-value heads, head_dim] -> [N, heads * head_dim]. A token sees itself and those before it, as the rule says.
/// `firsts`: of each sequence the first token whose numbers are asked for, those before it being any; empty: all are.
/// Throws Error if the lengths do not add up to N.
at::Tensor causal_attention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                            const std::vector<std::int64_t>& lengths, const AttentionRule& rule = {},
                            const std::vector<std::int64_t>& firsts = {});

/// Capped scores: c tanh(s / c), or the scores themselves where there is no cap.
at::Tensor capped(const at::Tensor& scores, double cap);

/// The same without kernels, for lengths that add up: by whole matrices of scores, as on the CPU, and by LibTorch's fused operation, which
/// keeps no scores, as on devices. LibTorch 1 has no such operation, and no version has one with a cap; there the second is the first.
at::Tensor scored_attention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                            const std::vector<std::int64_t>& lengths, const AttentionRule& rule = {});
at::Tensor fused_attention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                           const std::vector<std::int64_t>& lengths, const AttentionRule& rule = {});

}  // namespace paretofl
