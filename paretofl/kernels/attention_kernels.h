#pragma once

#include <cstddef>

namespace paretofl {

/// Causal attention (Vaswani et al. 2017, equation 1) of one sequence: the size of its parts.
struct AttentionShape {
  std::size_t length = 0;  ///< tokens
  std::size_t heads = 0;
  std::size_t pairs = 0;   ///< key-value heads, a divisor of `heads`
  std::size_t width = 0;   ///< numbers of a head
  std::size_t window = 0;  ///< last tokens that a token sees, its own included; 0: all
  std::size_t first = 0;   ///< tokens before this one are seen only: nothing is mixed for them
};

/// A matrix [length, heads or pairs, width], token t at values + t * stride.
template <class Number>
struct HeadRows {
  Number* values = nullptr;
  std::size_t stride = 0;
};

/// How many numbers the shares of the tokens take: [heads, length - first, length], rounded up to whole registers.
std::size_t attention_shares(const AttentionShape& shape);

/// softmax(q k' / sqrt(width)) v, where a token sees itself and those before it, up to the window; some numbers for tokens before the
/// first. Keeps the shares unless `shares` is null.
void causal_attention(const AttentionShape& shape, HeadRows<const float> q, HeadRows<const float> k, HeadRows<const float> v,
                      HeadRows<float> mixed, float* shares);

/// Writes the gradients with respect to q, k and v, given that with respect to `mixed`, which is 0 for tokens before the first, and the
/// shares that were kept. Heads that share keys and values add up.
void causal_attention_gradients(const AttentionShape& shape, HeadRows<const float> q, HeadRows<const float> k, HeadRows<const float> v,
                                HeadRows<const float> by_mixed, const float* shares, HeadRows<float> by_q, HeadRows<float> by_k,
                                HeadRows<float> by_v);

}  // namespace paretofl
