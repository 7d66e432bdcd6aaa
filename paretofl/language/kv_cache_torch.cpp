#include "paretofl/language/kv_cache_torch.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/kernels/lanes.h"

namespace paretofl {

KvCache::KvCache(const LanguageModelConfig& config, std::int64_t rows, std::int64_t capacity, const at::Tensor& like) {
  capacity = static_cast<std::int64_t>(whole_lanes(static_cast<std::size_t>(capacity)));
  for (std::int64_t l = 0; l < config.num_hidden_layers; ++l) {
    keys.push_back(at::zeros({rows, config.num_key_value_heads, config.head_dim, capacity}, like.options()));
    values.push_back(at::zeros({rows, config.num_key_value_heads, capacity, config.head_dim}, like.options()));
  }
}

void KvCache::select(const at::Tensor& rows) {
  for (at::Tensor& k : keys) k = k.index_select(0, rows);
  for (at::Tensor& v : values) v = v.index_select(0, rows);
}

at::Tensor PrefillAttention::attend(std::size_t layer, const AttentionRule& rule, const at::Tensor& queries, const at::Tensor& keys,
                                    const at::Tensor& values) {
  std::int64_t first = 0;
  std::int64_t row = 0;
  for (const std::int64_t length : packed_.lengths()) {
    cache_.keys[layer].select(0, row).narrow(2, 0, length).copy_(keys.narrow(0, first, length).permute({1, 2, 0}));
    cache_.values[layer].select(0, row).narrow(1, 0, length).copy_(values.narrow(0, first, length).transpose(0, 1));
    first += length;
    ++row;
  }
  return packed_.attend(layer, rule, queries, keys, values);
}

StepAttention::StepAttention(const KvCache& prompts, KvCache& drawn, std::span<const CachePlace> places)
    : prompts_(prompts), drawn_(drawn), drawn_before_(places.front().drawn) {
  std::vector<std::int64_t> prompt_lengths;
  std::vector<std::vector<std::int64_t>> groups(static_cast<std::size_t>(prompts.keys.front().size(0)));
  std::size_t largest = 0;
  for (const CachePlace& place : places) {
    std::vector<std::int64_t>& group = groups[static_cast<std::size_t>(place.prompt_row)];
    group.push_back(static_cast<std::int64_t>(prompt_lengths.size()));
    largest = std::max(largest, group.size());
    prompt_lengths.push_back(place.prompt_length);
    expect(place.drawn == drawn_before_, "attention: expected sequences with equally many drawn tokens, found {} and {}", drawn_before_,
           place.drawn);
  }
  std::vector<std::int64_t> members;
  std::vector<std::int64_t> slots(places.size());
  for (std::vector<std::int64_t>& group : groups) {
    for (const std::int64_t i : group) {
      slots[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(members.size());
      members.push_back(i);
    }
    members.insert(members.end(), largest - group.size(), 0);
  }
  longest_prompt_ = *std::max_element(prompt_lengths.begin(), prompt_lengths.end());
  const at::Tensor& like = drawn.keys.front();
  const auto on_device = [&](const std::vector<std::int64_t>& values) { return at::tensor(values, at::kLong).to(like.device()); };
  members_ = on_device(members);
  slots_ = on_device(slots);
  prompt_lengths_ = on_device(prompt_lengths).unsqueeze(1);
}

const at::Tensor& StepAttention::mask(std::int64_t window) {
  at::Tensor& mask = masks_[window];
  if (mask.defined()) return mask;
  const at::Tensor places = at::arange(longest_prompt_, slots_.options()).unsqueeze(0);  // of prompts' tokens
  at::Tensor in_prompt = places.ge(prompt_lengths_);
  at::Tensor in_drawn = at::zeros({in_prompt.size(0), drawn_before_ + 1}, in_prompt.options());
  if (window > 0) {
    in_prompt = in_prompt.logical_or(places.le(prompt_lengths_ + (drawn_before_ - window)));
    in_drawn = at::arange(drawn_before_ + 1, slots_.options()).le(drawn_before_ - window).unsqueeze(0).expand_as(in_drawn);
  }
  const at::Tensor unseen = at::cat({in_prompt, in_drawn}, 1).unsqueeze(1);
  mask = at::zeros(unseen.sizes(), drawn_.keys.front().options()).masked_fill(unseen, -std::numeric_limits<double>::infinity());
  return mask;
}

at::Tensor StepAttention::by_prompt(const at::Tensor& x, const at::Tensor& of_prompts) const {
  const std::int64_t prompts = of_prompts.size(0);
  const std::int64_t pairs = of_prompts.size(1);
  const std::int64_t group = members_.size(0) / prompts;
  const std::int64_t shared = x.size(1) / pairs;  // heads of a pair
  const at::Tensor rows = x.index_select(0, members_)
                              .view({prompts, group, pairs, shared, x.size(2)})
                              .transpose(1, 2)
                              .reshape({prompts * pairs, group * shared, x.size(2)});
  const at::Tensor products = at::bmm(rows, of_prompts.reshape({prompts * pairs, of_prompts.size(2), of_prompts.size(3)}));
  return products.view({prompts, pairs, group, shared, of_prompts.size(3)})
      .transpose(1, 2)
      .reshape({prompts * group, x.size(1), of_prompts.size(3)})
      .index_select(0, slots_);
}

at::Tensor StepAttention::attend(std::size_t layer, const AttentionRule& rule, const at::Tensor& queries, const at::Tensor& keys,
                                 const at::Tensor& values) {
  const std::int64_t rows = keys.size(0);
  const std::int64_t pairs = keys.size(1);
  const std::int64_t heads = queries.size(1);
  const std::int64_t width = queries.size(2);
  const std::int64_t count = drawn_before_ + 1;
  drawn_.keys[layer].select(3, drawn_before_).copy_(keys);
  drawn_.values[layer].select(2, drawn_before_).copy_(values);
  const at::Tensor k = drawn_.keys[layer].narrow(3, 0, count).reshape({rows * pairs, width, count});
  const at::Tensor v = drawn_.values[layer].narrow(2, 0, count).reshape({rows * pairs, count, width});
  const at::Tensor q = queries * (1 / std::sqrt(static_cast<double>(width)));
  const at::Tensor of_prompts = by_prompt(q, prompts_.keys[layer].narrow(3, 0, longest_prompt_));
  const at::Tensor of_drawn = at::bmm(q.reshape({rows * pairs, heads / pairs, width}), k).view({rows, heads, count});
  const at::Tensor shares = at::softmax(capped(at::cat({of_prompts, of_drawn}, 2), rule.cap) + mask(rule.window), -1);
  const at::Tensor mixed = at::bmm(shares.narrow(2, longest_prompt_, count).reshape({rows * pairs, heads / pairs, count}), v);
  return (mixed.view({rows, heads, width}) +
          by_prompt(shares.narrow(2, 0, longest_prompt_), prompts_.values[layer].narrow(2, 0, longest_prompt_)))
      .view({rows, heads * width});
}

}  // namespace paretofl
