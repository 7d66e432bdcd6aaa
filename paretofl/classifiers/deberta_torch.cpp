#include "paretofl/classifiers/deberta_torch.h"

#include <ATen/ATen.h>

#include <cmath>

#include "paretofl/classifiers/relative_buckets.h"
#include "paretofl/language/decoder_ops_torch.h"
#include "paretofl/model_files/deberta_slices.h"

namespace paretofl {
namespace {

// [T, T]: the row of the relative embeddings for query q (rows) and key k (columns).
at::Tensor row_of_pair(std::int64_t length, const LanguageModelConfig& config, const at::Device& device) {
  const std::vector<std::int64_t> rows = relative_rows(length, config.position_buckets, config.max_relative_positions);
  const at::Tensor places = at::arange(length).unsqueeze(1) - at::arange(length) + (length - 1);
  return at::tensor(rows, at::kLong).index_select(0, places.flatten()).view({length, length}).to(device);
}

}  // namespace

Deberta::Deberta(const LanguageModelConfig& config, const TensorLookup& lookup) : config_(config) {
  for (const Slice& slice : deberta_slices(config)) tensors_.emplace(slice.name, lookup(slice.name, slice.shape));
}

at::Tensor Deberta::linear(const std::string& name, const at::Tensor& x) const {
  return at::addmm(tensor(name + ".bias"), x, tensor(name + ".weight").t());
}

at::Tensor Deberta::norm(const std::string& name, const at::Tensor& x) const {
  return at::layer_norm(x, {config_.hidden_size}, tensor(name + ".weight"), tensor(name + ".bias"), config_.norm_epsilon);
}

at::Tensor Deberta::attend(const std::string& layer, const at::Tensor& x, const std::vector<std::int64_t>& lengths) const {
  const std::int64_t heads = config_.num_attention_heads, width = config_.head_dim;
  const std::string self = layer + "attention.self.";
  const auto by_head = [&](const at::Tensor& y) { return y.view({y.size(0), heads, width}).transpose(0, 1); };  // [heads, N, width]
  const at::Tensor queries = by_head(linear(self + "query_proj", x)) * (1 / std::sqrt(3.0 * static_cast<double>(width)));
  const at::Tensor keys = by_head(linear(self + "key_proj", x));
  const at::Tensor values = by_head(linear(self + "value_proj", x));
  const at::Tensor positions = norm("deberta.encoder.LayerNorm", tensor("deberta.encoder.rel_embeddings.weight"));
  const at::Tensor position_keys = by_head(linear(self + "key_proj", positions)).transpose(1, 2);  // [heads, width, 2 B]
  const at::Tensor position_queries =
      by_head(linear(self + "query_proj", positions)).transpose(1, 2) * (1 / std::sqrt(3.0 * static_cast<double>(width)));
  const at::Tensor key_scores = at::matmul(queries, position_keys);    // [heads, N, 2 B], content to position
  const at::Tensor query_scores = at::matmul(keys, position_queries);  // [heads, N, 2 B], position to content

  std::vector<at::Tensor> mixed;
  std::int64_t first = 0;
  at::Tensor pairs;
  for (const std::int64_t length : lengths) {
    if (!pairs.defined() || pairs.size(0) != length) pairs = row_of_pair(length, config_, x.device());
    const auto part = [&](const at::Tensor& y) { return y.narrow(1, first, length); };
    // A key's distance to a query is minus the query's to the key, and buckets are odd, so both read the same row.
    const at::Tensor at_query = part(key_scores).gather(2, pairs.expand({heads, length, length}));
    const at::Tensor at_key = part(query_scores).gather(2, pairs.t().expand({heads, length, length})).transpose(1, 2);
    const at::Tensor shares = at::softmax(at::bmm(part(queries), part(keys).transpose(1, 2)) + at_query + at_key, -1);
    mixed.push_back(at::bmm(shares, part(values)).transpose(0, 1).reshape({length, heads * width}));
    first += length;
  }
  return linear(layer + "attention.output.dense", at::cat(mixed));
}

at::Device Deberta::device() const { return tensors_.begin()->second.device(); }

at::Tensor Deberta::scores(const PackedTokens& tokens) const {
  at::Tensor x = norm("deberta.embeddings.LayerNorm", tensor("deberta.embeddings.word_embeddings.weight").index_select(0, tokens.ids));
  for (std::int64_t i = 0; i < config_.num_hidden_layers; ++i) {
    const std::string layer = "deberta.encoder.layer." + std::to_string(i) + ".";
    x = norm(layer + "attention.output.LayerNorm", x + attend(layer, x, tokens.lengths));
    const at::Tensor inner = activate(config_.hidden_act, linear(layer + "intermediate.dense", x));
    x = norm(layer + "output.LayerNorm", x + linear(layer + "output.dense", inner));
  }
  x = x.index_select(0, tokens.first);
  return linear("classifier", activate(config_.pooler_hidden_act, linear("pooler.dense", x))).squeeze(1);
}

}  // namespace paretofl
