#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/api/include/torch/version.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/kernels/attention_kernels.h"
#include "paretofl/language/decoder_ops_torch.h"

namespace paretofl {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Heads one after the other in every token, as the kernels read them.
at::Tensor with_whole_tokens(const at::Tensor& x) { return x.stride(2) == 1 && x.stride(1) == x.size(2) ? x : x.contiguous(); }

template <class Number>
HeadRows<Number> rows(const at::Tensor& x, std::int64_t first) {
  return {x.data_ptr<float>() + first * x.stride(0), static_cast<std::size_t>(x.stride(0))};
}

// Of each sequence.
std::vector<AttentionShape> shapes_of(const at::Tensor& queries, const at::Tensor& keys, const std::vector<std::int64_t>& lengths,
                                      const std::vector<std::int64_t>& firsts, std::int64_t window) {
  std::vector<AttentionShape> shapes;
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    shapes.push_back({static_cast<std::size_t>(lengths[s]), static_cast<std::size_t>(queries.size(1)),
                      static_cast<std::size_t>(keys.size(1)), static_cast<std::size_t>(queries.size(2)), static_cast<std::size_t>(window),
                      firsts.empty() ? 0 : static_cast<std::size_t>(firsts[s])});
  }
  return shapes;
}

struct CausalAttention : torch::autograd::Function<CausalAttention> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                            const std::vector<std::int64_t>& lengths, const std::vector<std::int64_t>& firsts, std::int64_t window,
                            bool derive) {
    const at::Tensor q = with_whole_tokens(queries);
    const at::Tensor k = with_whole_tokens(keys);
    const at::Tensor v = with_whole_tokens(values);
    const at::Tensor mixed = at::empty(q.sizes(), q.options());
    const std::vector<AttentionShape> shapes = shapes_of(q, k, lengths, firsts, window);
    std::size_t room = 0;
    for (const AttentionShape& shape : shapes) room += attention_shares(shape);
    const at::Tensor shares = at::empty({derive ? static_cast<std::int64_t>(room) : 0}, q.options());
    float* next = shares.data_ptr<float>();
    std::int64_t first = 0;
    for (const AttentionShape& shape : shapes) {
      causal_attention(shape, rows<const float>(q, first), rows<const float>(k, first), rows<const float>(v, first),
                       rows<float>(mixed, first), derive ? next : nullptr);
      if (derive) next += attention_shares(shape);
      first += static_cast<std::int64_t>(shape.length);
    }
    context->save_for_backward({q, k, v, shares});
    context->saved_data["lengths"] = lengths;
    context->saved_data["firsts"] = firsts;
    context->saved_data["window"] = window;
    return mixed.view({q.size(0), -1});
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor& q = saved[0];
    const at::Tensor& k = saved[1];
    const at::Tensor& v = saved[2];
    const at::Tensor by_mixed = gradients[0].contiguous().view(q.sizes());
    const at::Tensor by_q = at::empty(q.sizes(), q.options());
    const at::Tensor by_k = at::empty(k.sizes(), k.options());
    const at::Tensor by_v = at::empty(v.sizes(), v.options());
    const float* next = saved[3].data_ptr<float>();
    std::int64_t first = 0;
    for (const AttentionShape& shape : shapes_of(q, k, context->saved_data["lengths"].toIntVector(),
                                                 context->saved_data["firsts"].toIntVector(), context->saved_data["window"].toInt())) {
      causal_attention_gradients(shape, rows<const float>(q, first), rows<const float>(k, first), rows<const float>(v, first),
                                 rows<const float>(by_mixed, first), next, rows<float>(by_q, first), rows<float>(by_k, first),
                                 rows<float>(by_v, first));
      next += attention_shares(shape);
      first += static_cast<std::int64_t>(shape.length);
    }
    return {by_q, by_k, by_v, {}, {}, {}, {}};
  }
};

}  // namespace

at::Tensor causal_attention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                            const std::vector<std::int64_t>& lengths, const AttentionRule& rule, const std::vector<std::int64_t>& firsts) {
  const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  expect(queries.size(0) == tokens && keys.size(0) == tokens && values.size(0) == tokens,
         "attention: expected queries, keys and values of {} tokens, found {}, {} and {}", tokens, queries.size(0), keys.size(0),
         values.size(0));
  if (has_kernels(queries) && rule.cap == 0) {
    const bool derive = at::GradMode::is_enabled() && (queries.requires_grad() || keys.requires_grad() || values.requires_grad());
    return CausalAttention::apply(queries, keys, values, lengths, firsts, rule.window, derive);
  }
  return (queries.is_cpu() ? scored_attention : fused_attention)(queries, keys, values, lengths, rule);
}

at::Tensor capped(const at::Tensor& scores, double cap) { return cap == 0 ? scores : at::tanh(scores / cap) * cap; }

at::Tensor scored_attention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                            const std::vector<std::int64_t>& lengths, const AttentionRule& rule) {
  const std::int64_t heads = queries.size(1);
  const std::int64_t width = queries.size(2);
  const std::int64_t pairs = keys.size(1);
  const std::int64_t group = heads / pairs;  // queries that share keys and values
  const at::Tensor scaled = queries * (1 / std::sqrt(static_cast<double>(width)));
  std::vector<at::Tensor> mixed;
  std::int64_t first = 0;
  for (std::size_t s = 0; s < lengths.size();) {
    const std::int64_t length = lengths[s];
    std::int64_t count = 0;  // sequences of the same length are one product
    for (; s < lengths.size() && lengths[s] == length; ++s) ++count;
    const auto part = [&](const at::Tensor& x) { return x.narrow(0, first, count * length).view({count, length, pairs, -1, width}); };
    const at::Tensor q = part(scaled).permute({0, 2, 3, 1, 4}).reshape({count * pairs, group * length, width});
    const at::Tensor k = part(keys).squeeze(3).permute({0, 2, 3, 1}).reshape({count * pairs, width, length});
    const at::Tensor v = part(values).squeeze(3).permute({0, 2, 1, 3}).reshape({count * pairs, length, width});
    const at::Tensor hidden = at::full({length, length}, -std::numeric_limits<double>::infinity(), scaled.options());
    const at::Tensor unseen = rule.window > 0 ? hidden.triu(1) + hidden.tril(-rule.window) : hidden.triu(1);
    const at::Tensor scores = capped(at::bmm(q, k).view({-1, length, length}), rule.cap) + unseen;
    const at::Tensor shares = at::softmax(scores, -1).view({count * pairs, group * length, length});
    mixed.push_back(at::bmm(shares, v).view({count, heads, length, width}).transpose(1, 2).reshape({count * length, heads * width}));
    first += count * length;
  }
  return mixed.size() == 1 ? mixed.front() : at::cat(mixed);
}

at::Tensor fused_attention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                           const std::vector<std::int64_t>& lengths, const AttentionRule& rule) {
  if (rule.cap > 0) return scored_attention(queries, keys, values, lengths, rule);
#if TORCH_VERSION_MAJOR >= 2
  const auto count = static_cast<std::int64_t>(lengths.size());
  const std::int64_t heads = queries.size(1);
  const std::int64_t width = queries.size(2);
  const std::int64_t longest = *std::max_element(lengths.begin(), lengths.end());
  std::vector<std::int64_t> places;  // of the tokens among padded sequences
  for (std::int64_t s = 0; s < count; ++s) {
    for (std::int64_t t = 0; t < lengths[static_cast<std::size_t>(s)]; ++t) places.push_back(s * longest + t);
  }
  const bool whole = queries.size(0) == count * longest;  // nothing to pad
  const at::Tensor rows = whole ? at::Tensor() : at::tensor(places, at::kLong).to(queries.device());
  // [N, key-value heads, head_dim] -> [sequences, heads, longest, head_dim]. Padding comes last, so that no token sees it.
  const auto padded = [&](const at::Tensor& x) {
    const std::int64_t pairs = x.size(1);
    return (whole ? x : at::zeros({count * longest, pairs, width}, x.options()).index_copy(0, rows, x))
        .reshape({count, longest, pairs, 1, width})
        .expand({count, longest, pairs, heads / pairs, width})
        .reshape({count, longest, heads, width})
        .transpose(1, 2);
  };
  const bool windowed = rule.window > 0 && rule.window < longest;
  const auto by_mask = [&] {
    const at::Tensor seen = at::ones({longest, longest}, queries.options().dtype(at::kBool)).tril().triu(1 - rule.window);
    return at::scaled_dot_product_attention(padded(queries), padded(keys), padded(values), seen, 0, false);
  };
  const at::Tensor mixed =
      (windowed ? by_mask() : at::scaled_dot_product_attention(padded(queries), padded(keys), padded(values), {}, 0, true))
          .transpose(1, 2)
          .reshape({count * longest, heads * width});
  return whole ? mixed : mixed.index_select(0, rows);
#else
  return scored_attention(queries, keys, values, lengths, rule);
#endif
}

}  // namespace paretofl
