#include "paretofl/language/kv_cache_torch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/models/lanes.h"

namespace paretofl {

KvCache::KvCache(const LanguageModelConfig& config, std::int64_t rows, std::int64_t capacity, const at::Tensor& like) {
  const auto lanes = static_cast<std::int64_t>(kLanes);
  capacity = (capacity + lanes - 1) / lanes * lanes;
  for (std::int64_t l = 0; l < config.num_hidden_layers; ++l) {
    keys.push_back(at::zeros({rows, config.num_key_value_heads, config.head_dim, capacity}, like.options()));
    values.push_back(at::zeros({rows, config.num_key_value_heads, capacity, config.head_dim}, like.options()));
  }
}

void KvCache::select(const at::Tensor& rows) {
  for (at::Tensor& k : keys) k = k.index_select(0, rows);
  for (at::Tensor& v : values) v = v.index_select(0, rows);
}

at::Tensor PrefillAttention::attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values) {
  std::int64_t first = 0;
  for (std::size_t s = 0; s < rows_.size(); ++s) {
    const std::int64_t length = packed_.lengths()[s];
    for (const std::int64_t row : rows_[s]) {
      cache_.keys[layer].select(0, row).narrow(2, 0, length).copy_(keys.narrow(0, first, length).permute({1, 2, 0}));
      cache_.values[layer].select(0, row).narrow(1, 0, length).copy_(values.narrow(0, first, length).transpose(0, 1));
    }
    first += length;
  }
  return packed_.attend(layer, queries, keys, values);
}

StepAttention::StepAttention(KvCache& cache, const std::vector<std::int64_t>& lengths)
    : cache_(cache), longest_(*std::max_element(lengths.begin(), lengths.end())) {
  const at::Tensor& like = cache.keys.front();
  lengths_ = at::tensor(lengths, at::kLong).to(like.device());
  const at::Tensor unseen = at::arange(longest_ + 1, lengths_.options()).unsqueeze(0).gt(lengths_.unsqueeze(1)).unsqueeze(1);
  mask_ = at::zeros(unseen.sizes(), like.options()).masked_fill(unseen, -std::numeric_limits<double>::infinity());
}

at::Tensor StepAttention::attend(std::size_t layer, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values) {
  const std::int64_t rows = keys.size(0);
  const std::int64_t pairs = keys.size(1);
  const std::int64_t heads = queries.size(1);
  const std::int64_t width = queries.size(2);
  const std::int64_t count = longest_ + 1;
  const at::Tensor place = lengths_.view({rows, 1, 1, 1}).expand({rows, pairs, width, 1});
  cache_.keys[layer].scatter_(3, place, keys.unsqueeze(3));
  cache_.values[layer].scatter_(2, place.transpose(2, 3), values.unsqueeze(2));
  const at::Tensor k = cache_.keys[layer].narrow(3, 0, count).reshape({rows * pairs, width, count});
  const at::Tensor v = cache_.values[layer].narrow(2, 0, count).reshape({rows * pairs, count, width});
  const at::Tensor q = (queries * (1 / std::sqrt(static_cast<double>(width)))).reshape({rows * pairs, heads / pairs, width});
  const at::Tensor scores = at::bmm(q, k).view({rows, heads, count}) + mask_;
  const at::Tensor shares = at::softmax(scores, -1).view({rows * pairs, heads / pairs, count});
  return at::bmm(shares, v).view({rows, heads * width});
}

}  // namespace paretofl
