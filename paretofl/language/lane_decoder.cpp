#include "paretofl/language/lane_decoder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "paretofl/kernels/lane_activation.h"
#include "paretofl/kernels/lane_attention.h"

namespace paretofl {
namespace {

Lanes* with_room(std::vector<Lanes>& buffer, std::size_t count) {
  if (count > buffer.size()) buffer.resize(count);
  return buffer.data();
}

// From [blocks, width] of Lanes to [rows, width], and back.
void to_rows(const Lanes* x, std::size_t width, std::size_t rows, float* out) {
  constexpr std::size_t kTile = 16;  // columns at a time, so that both sides stay in the cache
  for (std::size_t first = 0; first < rows; first += kLanes) {
    const Lanes* block = x + first / kLanes * width;
    const std::size_t count = std::min(kLanes, rows - first);
    for (std::size_t begin = 0; begin < width; begin += kTile) {
      const std::size_t end = std::min(begin + kTile, width);
      for (std::size_t r = 0; r < count; ++r) {
        const float* lane = reinterpret_cast<const float*>(block) + r;
        for (std::size_t i = begin; i < end; ++i) out[(first + r) * width + i] = lane[i * kLanes];
      }
    }
  }
}

void from_rows(const float* rows_major, std::size_t width, std::size_t rows, Lanes* x) {
  for (std::size_t r = 0; r < rows; ++r) {
    float* lane = reinterpret_cast<float*>(x + r / kLanes * width) + r % kLanes;
    for (std::size_t i = 0; i < width; ++i) lane[i * kLanes] = rows_major[r * width + i];
  }
}

void multiply(const LaneMatrix& weight, const Int8Matrix* rounded, const Lanes* x, std::size_t blocks, Lanes* y) {
  rounded == nullptr ? lane_product(weight, x, blocks, y) : int8_product(*rounded, x, blocks, y);
}

}  // namespace

struct LaneDecoder::Activations {
  std::size_t rows = 0;
  std::size_t blocks = 0;
  std::size_t adapted = 0;
  std::vector<Lanes> x, normed, queries, keys, values, mixed, inner, gated, update, low_rank, logits;
  std::array<std::vector<Lanes>, 2> cosines, sines;                         // [blocks, head_dim / 2], as waves_
  std::vector<float> query_rows, key_rows, value_rows, mixed_rows, scores;  // the same row by row
};

LaneDecoder::LaneDecoder(const LanguageModelConfig& config, LaneWeights weights)
    : config_(config), weights_(std::move(weights)), at_(std::make_unique<Activations>()) {
  if (weights_.positions != nullptr) return;
  waves_.push_back(rope_waves(config, false));
  if (config.local_rope) waves_.push_back(rope_waves(config, true));
}

LaneDecoder::~LaneDecoder() = default;

void LaneDecoder::embed(std::span<const TokenId> ids, std::span<const CachePlace> places) {
  const auto width = static_cast<std::size_t>(config_.hidden_size);
  Lanes* x = with_room(at_->x, at_->blocks * width);
  std::fill_n(x, at_->blocks * width, Lanes{});
  for (std::size_t r = 0; r < ids.size(); ++r) {
    float* lane = reinterpret_cast<float*>(x + r / kLanes * width) + r % kLanes;
    const float* token = weights_.tokens + static_cast<std::size_t>(ids[r]) * width;
    const auto scale = static_cast<float>(config_.embedding_scale);
    for (std::size_t i = 0; i < width; ++i) lane[i * kLanes] = scale * token[i];
    if (weights_.positions == nullptr) continue;
    const float* position = weights_.positions + static_cast<std::size_t>(places[r].position()) * width;
    for (std::size_t i = 0; i < width; ++i) lane[i * kLanes] += position[i];
  }
  for (std::size_t kind = 0; kind < waves_.size(); ++kind) {
    const RopeWaves& waves = waves_[kind];
    const std::size_t turns = waves.frequencies.size();
    auto* cosines = reinterpret_cast<float*>(with_room(at_->cosines[kind], at_->blocks * turns));
    auto* sines = reinterpret_cast<float*>(with_room(at_->sines[kind], at_->blocks * turns));
    for (std::size_t r = 0; r < ids.size(); ++r) {
      for (std::size_t i = 0; i < turns; ++i) {
        const double angle = static_cast<double>(places[r].position()) * waves.frequencies[i];
        const std::size_t at = (r / kLanes * turns + i) * kLanes + r % kLanes;
        cosines[at] = static_cast<float>(std::cos(angle) * waves.amplitude);
        sines[at] = static_cast<float>(std::sin(angle) * waves.amplitude);
      }
    }
  }
}

// Rows [groups, width], x and y may be the same.
void LaneDecoder::norm(const LaneNorm& norm, std::size_t groups, std::size_t width, const Lanes* x, Lanes* y) const {
  const auto epsilon = static_cast<float>(config_.norm_epsilon);
  for (std::size_t b = 0; b < groups; ++b, x += width, y += width) {
    Lanes mean{};
    if (norm.bias != nullptr) {
      for (std::size_t i = 0; i < width; ++i) mean += x[i];
      mean /= static_cast<float>(width);
    }
    Lanes squares{};
    for (std::size_t i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
    Lanes scale = squares / static_cast<float>(width) + epsilon;
    for (std::size_t n = 0; n < kLanes; ++n) scale[n] = 1 / std::sqrt(scale[n]);
    for (std::size_t i = 0; i < width; ++i) {
      y[i] = (x[i] - mean) * scale * norm.weight[i];
      if (norm.bias != nullptr) y[i] += norm.bias[i];
    }
  }
}

void LaneDecoder::norm(const LaneNorm& norm, const Lanes* x, Lanes* y) const {
  this->norm(norm, at_->blocks, static_cast<std::size_t>(config_.hidden_size), x, y);
}

// x += update, behind a norm where there is one.
void LaneDecoder::add(const LaneNorm& around, Lanes* update, Lanes* x) const {
  if (around.weight != nullptr) norm(around, update, update);
  const std::size_t count = at_->blocks * static_cast<std::size_t>(config_.hidden_size);
  for (std::size_t i = 0; i < count; ++i) x[i] += update[i];
}

void LaneDecoder::project(const LaneLinear& linear, const Lanes* x, Lanes* y) {
  multiply(linear.weight, linear.rounded, x, at_->blocks, y);
  const std::size_t out = linear.weight.out;
  if (linear.bias != nullptr) {
    for (std::size_t b = 0; b < at_->blocks; ++b) {
      for (std::size_t i = 0; i < out; ++i) y[b * out + i] += linear.bias[i];
    }
  }
  if (linear.lora_a == nullptr || at_->adapted == 0) return;
  const std::size_t blocks = (at_->adapted + kLanes - 1) / kLanes;
  const std::size_t rank = linear.lora_rank;
  Lanes* low_rank = with_room(at_->low_rank, blocks * rank);
  const std::size_t in = linear.weight.in;
  lane_product({.values = linear.lora_a, .out = rank, .in = in, .out_stride = in, .in_stride = 1}, x, blocks, low_rank);
  // The last block may hold rows without the adapter.
  Lanes last{};
  for (std::size_t n = 0; n < kLanes; ++n) last[n] = (blocks - 1) * kLanes + n < at_->adapted ? 1 : 0;
  for (std::size_t i = 0; i < rank; ++i) low_rank[(blocks - 1) * rank + i] *= last;
  add_lane_product({.values = linear.lora_b, .out = out, .in = rank, .out_stride = rank, .in_stride = 1}, linear.lora_scale, low_rank,
                   blocks, y);
}

void LaneDecoder::rotate(Lanes* x, std::size_t heads, std::size_t kind) const {
  const std::size_t half = waves_[kind].frequencies.size();
  for (std::size_t b = 0; b < at_->blocks; ++b) {
    const Lanes* cosines = at_->cosines[kind].data() + b * half;
    const Lanes* sines = at_->sines[kind].data() + b * half;
    for (std::size_t h = 0; h < heads; ++h, x += 2 * half) {
      for (std::size_t i = 0; i < half; ++i) {
        const Lanes first = x[i];
        x[i] = first * cosines[i] - x[i + half] * sines[i];
        x[i + half] = x[i + half] * cosines[i] + first * sines[i];
      }
    }
  }
}

void LaneDecoder::attend(const LaneLayer& layer, const LaneCache& own, std::span<const CachePlace> places) {
  const auto heads = static_cast<std::size_t>(config_.num_attention_heads);
  const auto pairs = static_cast<std::size_t>(config_.num_key_value_heads);
  const auto width = static_cast<std::size_t>(config_.head_dim);
  Activations& at = *at_;
  at.mixed_rows.resize(at.rows * heads * width);
  at.scores.resize(layer.prompts.capacity + own.capacity);
  const std::size_t kind = waves_.size() > 1 && layer.window > 0 ? 1 : 0;
  const bool scaled = config_.attention_scale != 0;
  const float scale = scaled ? static_cast<float>(config_.attention_scale * std::sqrt(static_cast<double>(width))) : 1;
  const auto rows_of = [&](std::size_t projection, std::size_t turning, const LaneNorm& norm, std::vector<Lanes>& lanes,
                           std::vector<float>& row_by_row) {
    const std::size_t out = layer.projections[projection].weight.out;
    project(layer.projections[projection], at.normed.data(), with_room(lanes, at.blocks * out));
    if (norm.weight != nullptr) this->norm(norm, at.blocks * out / width, width, lanes.data(), lanes.data());
    if (turning > 0 && layer.rotated) rotate(lanes.data(), turning, kind);
    if (projection == 0 && scaled) {
      for (std::size_t i = 0; i < at.blocks * out; ++i) lanes[i] *= scale;
    }
    row_by_row.resize(at.rows * out);
    to_rows(lanes.data(), out, at.rows, row_by_row.data());
  };
  const bool fused = waves_.empty();  // GPT-2's one map for all three
  rows_of(0, fused ? 0 : heads, layer.query_norm, at.queries, at.query_rows);
  if (!fused) {
    rows_of(1, pairs, layer.key_norm, at.keys, at.key_rows);
    rows_of(2, 0, {}, at.values, at.value_rows);
  }
  const auto tokens = [&](const LaneCache& cache, std::int64_t row, std::int64_t count) {
    const std::size_t first = static_cast<std::size_t>(row) * pairs * width * cache.capacity;
    return CachedTokens{cache.keys + first, cache.values + first, cache.capacity, static_cast<std::size_t>(count), 0};
  };
  for (std::size_t r = 0; r < at.rows; ++r) {
    CachedSequence cached{
        .parts = {tokens(layer.prompts, places[r].prompt_row, places[r].prompt_length), tokens(own, places[r].row, places[r].drawn)},
        .pairs = pairs,
        .width = width,
        .cap = static_cast<float>(config_.attention_cap)};
    if (const std::int64_t begin = places[r].position() + 1 - layer.window; layer.window > 0 && begin > 0) {
      cached.parts[0].first = static_cast<std::size_t>(std::min(begin, places[r].prompt_length));
      cached.parts[1].first = static_cast<std::size_t>(std::max<std::int64_t>(begin - places[r].prompt_length, 0));
    }
    const float* query = at.query_rows.data() + r * heads * width * (fused ? 3 : 1);
    const float* key = fused ? query + heads * width : at.key_rows.data() + r * pairs * width;
    const float* value = fused ? query + 2 * heads * width : at.value_rows.data() + r * pairs * width;
    append_to_cache(cached, key, value);
    attend_to_cache(cached, heads, query, at.scores.data(), at.mixed_rows.data() + r * heads * width);
  }
  from_rows(at.mixed_rows.data(), heads * width, at.rows, with_room(at.mixed, at.blocks * heads * width));
}

void LaneDecoder::mlp(const LaneLayer& layer) {
  const auto inner = static_cast<std::size_t>(config_.intermediate_size);
  Lanes* hidden = with_room(at_->inner, at_->blocks * inner);
  const bool gated = layer.projections.size() == 7;
  const std::size_t first = gated ? 4 : 2;
  project(layer.projections[first], at_->normed.data(), hidden);
  activate(config_.hidden_act, hidden, at_->blocks * inner);
  if (gated) {
    Lanes* factors = with_room(at_->gated, at_->blocks * inner);
    project(layer.projections[first + 1], at_->normed.data(), factors);
    for (std::size_t i = 0; i < at_->blocks * inner; ++i) hidden[i] *= factors[i];
  }
  project(layer.projections.back(), hidden, at_->update.data());
}

void LaneDecoder::step(std::span<const TokenId> ids, std::span<const CachePlace> places, std::size_t adapted, float* hidden,
                       float* logits) {
  step(&LaneLayer::drawn, ids, places, adapted, hidden, logits);
}

void LaneDecoder::prompt_step(std::span<const TokenId> ids, std::span<const CachePlace> places, std::size_t adapted, float* hidden,
                              float* logits) {
  step(&LaneLayer::prompts, ids, places, adapted, hidden, logits);
}

void LaneDecoder::step(LaneCache LaneLayer::*own, std::span<const TokenId> ids, std::span<const CachePlace> places, std::size_t adapted,
                       float* hidden, float* logits) {
  Activations& at = *at_;
  at.rows = ids.size();
  at.blocks = (ids.size() + kLanes - 1) / kLanes;
  at.adapted = adapted;
  const auto width = static_cast<std::size_t>(config_.hidden_size);
  const std::size_t count = at.blocks * width;
  embed(ids, places);
  Lanes* x = at.x.data();
  Lanes* normed = with_room(at.normed, count);
  Lanes* update = with_room(at.update, count);
  for (const LaneLayer& layer : weights_.layers) {
    norm(layer.attention_norm, x, normed);
    attend(layer, layer.*own, places);
    project(layer.projections[layer.projections.size() == 7 ? 3 : 1], at.mixed.data(), update);
    add(layer.attention_out_norm, update, x);
    norm(layer.mlp_norm, x, normed);
    mlp(layer);
    add(layer.mlp_out_norm, update, x);
  }
  if (logits == nullptr) return;
  norm(weights_.final_norm, x, normed);
  to_rows(normed, width, at.rows, hidden);
  Lanes* all = with_room(at.logits, at.blocks * weights_.head.out);
  multiply(weights_.head, weights_.rounded_head, normed, at.blocks, all);
  to_rows(all, weights_.head.out, at.rows, logits);
  if (config_.logit_cap == 0) return;
  const auto cap = static_cast<float>(config_.logit_cap);
  for (std::size_t i = 0; i < at.rows * weights_.head.out; ++i) logits[i] = cap * std::tanh(logits[i] / cap);
}

}  // namespace paretofl
