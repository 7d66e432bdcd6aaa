#include "paretofl/language/packed_attention_torch.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace paretofl {

at::Tensor PackedAttention::mask(std::int64_t length, const at::Tensor& like) {
  if (!mask_.defined() || mask_.size(0) != length) {
    mask_ = at::full({length, length}, -std::numeric_limits<double>::infinity(), like.options()).triu(1);
  }
  return mask_;
}

at::Tensor PackedAttention::attend(std::size_t /*layer*/, const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values) {
  const std::int64_t heads = queries.size(1);
  const std::int64_t width = queries.size(2);
  const std::int64_t pairs = keys.size(1);
  const std::int64_t group = heads / pairs;  // queries that share keys and values
  const at::Tensor scaled = queries * (1 / std::sqrt(static_cast<double>(width)));
  std::vector<at::Tensor> mixed;
  std::int64_t first = 0;
  for (std::size_t s = 0; s < lengths_.size();) {
    const std::int64_t length = lengths_[s];
    std::int64_t count = 0;  // sequences of the same length are one product
    for (; s < lengths_.size() && lengths_[s] == length; ++s) ++count;
    const auto part = [&](const at::Tensor& x) { return x.narrow(0, first, count * length).view({count, length, pairs, -1, width}); };
    const at::Tensor q = part(scaled).permute({0, 2, 3, 1, 4}).reshape({count * pairs, group * length, width});
    const at::Tensor k = part(keys).squeeze(3).permute({0, 2, 3, 1}).reshape({count * pairs, width, length});
    const at::Tensor v = part(values).squeeze(3).permute({0, 2, 1, 3}).reshape({count * pairs, length, width});
    const at::Tensor scores = at::bmm(q, k).view({-1, length, length}) + mask(length, scaled);
    const at::Tensor shares = at::softmax(scores, -1).view({count * pairs, group * length, length});
    mixed.push_back(at::bmm(shares, v).view({count, heads, length, width}).transpose(1, 2).reshape({count * length, heads * width}));
    first += count * length;
  }
  return mixed.size() == 1 ? mixed.front() : at::cat(mixed);
}

}  // namespace paretofl
