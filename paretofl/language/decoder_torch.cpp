#include "paretofl/language/decoder_torch.h"

#include <ATen/ATen.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/language/decoder_ops_torch.h"
#include "paretofl/language/lora_dropout_torch.h"
#include "paretofl/language/recomputed_torch.h"

namespace paretofl {
// What one forward pass carries from layer to layer besides the hidden states.
struct Decoder::Call {
  const DecoderAdapter* adapter;
  DecoderAttention* attention;
  at::Tensor selected;              // as in DecoderInput
  std::int64_t adapted;             // leading rows that the adapter applies to
  std::vector<at::Tensor> cosines;  // [N, 1, rotated width / 2], as Decoder::frequencies_
  std::vector<at::Tensor> sines;
};

Decoder::Decoder(const LanguageModelConfig& config, const LoraOptions& lora, DecoderWeights weights)
    : config_(config), lora_(lora), places_(lora_places(config, lora)), weights_(std::move(weights)) {
  if (weights_.positions.defined()) return;
  waves_.push_back(rope_waves(config, false));
  if (config.local_rope) waves_.push_back(rope_waves(config, true));
  for (const RopeWaves& waves : waves_) {
    frequencies_.push_back(at::tensor(waves.frequencies, at::kDouble).to(weights_.tokens.device()));
  }
  if (const auto beyond = rope_waves_beyond(config)) {
    beyond_ = at::tensor(beyond->frequencies, at::kDouble).to(weights_.tokens.device());
  }
}

at::Tensor Decoder::norm(const DecoderNorm& norm, const at::Tensor& x) const {
  if (norm.bias.defined()) return at::layer_norm(x, {config_.hidden_size}, norm.weight, norm.bias, config_.norm_epsilon);
  return rms_norm(x, norm.weight, config_.norm_epsilon);
}

at::Tensor Decoder::head_norm(const DecoderNorm& norm, const at::Tensor& heads) const {
  if (!norm.weight.defined()) return heads;
  return rms_norm(heads.reshape({-1, config_.head_dim}), norm.weight, config_.norm_epsilon).view(heads.sizes());
}

at::Tensor Decoder::rotate_heads(const Call& call, std::size_t kind, const at::Tensor& heads) const {
  const std::int64_t width = config_.rotated_width();
  const std::int64_t rest = config_.head_dim - width;
  if (rest == 0) return rotate(heads, call.cosines[kind], call.sines[kind]);
  return at::cat({rotate(heads.narrow(2, 0, width), call.cosines[kind], call.sines[kind]), heads.narrow(2, width, rest)}, 2);
}

at::Tensor Decoder::project(const Call& call, std::size_t layer, std::size_t projection, const at::Tensor& x) const {
  const DecoderLinear& linear = weights_.layers[layer].projections[projection];
  at::Tensor y = linear.bias.defined() ? at::addmm(linear.bias, x, linear.weight.t()) : at::mm(x, linear.weight.t());
  const LoraPlace& place = places_[layer][projection];
  if (place.slice < 0 || call.adapter->slices.empty()) return y;
  const auto first = static_cast<std::size_t>(place.slice);
  const at::Tensor a = call.adapter->slices[first].to(x.scalar_type());
  const at::Tensor b = call.adapter->slices[first + 1].to(x.scalar_type());
  if (call.adapted < x.size(0)) {
    y.narrow(0, 0, call.adapted).addmm_(at::mm(x.narrow(0, 0, call.adapted), a.t()), b.t(), 1, place.scale);
    return y;
  }
  const Random* dropout = call.adapter->dropout;
  const at::Tensor dropped =
      dropout == nullptr || lora_.dropout == 0 ? x : drop_out(x, lora_.dropout, dropout->substream("lora_dropout", first));
  return y.addmm_(at::mm(dropped, a.t()), b.t(), 1, place.scale);
}

at::Tensor Decoder::attend(const Call& call, std::size_t layer, const at::Tensor& x) const {
  const std::int64_t heads = config_.num_attention_heads;
  const std::int64_t pairs = config_.num_key_value_heads;
  const AttentionRule rule{.window = config_.window(layer), .cap = config_.attention_cap};
  if (weights_.positions.defined()) {
    const std::vector<at::Tensor> parts = project(call, layer, 0, x).view({x.size(0), 3 * heads, config_.head_dim}).chunk(3, 1);
    return call.attention->attend(layer, rule, parts[0], parts[1], parts[2]);
  }
  std::vector<at::Tensor> parts;  // queries, keys and values
  if (config_.fused_projections) {
    parts = project(call, layer, 0, x).view({x.size(0), heads + 2 * pairs, config_.head_dim}).split_with_sizes({heads, pairs, pairs}, 1);
  } else {
    for (std::size_t p = 0; p < 3; ++p)
      parts.push_back(project(call, layer, p, x).view({x.size(0), p == 0 ? heads : pairs, config_.head_dim}));
  }
  const DecoderLayer& weights = weights_.layers[layer];
  at::Tensor queries = head_norm(weights.query_norm, parts[0]);
  at::Tensor keys = head_norm(weights.key_norm, parts[1]);
  if (config_.rotates(layer)) {
    const std::size_t kind = waves_.size() > 1 && rule.window > 0 ? 1 : 0;
    queries = rotate_heads(call, kind, queries);
    keys = rotate_heads(call, kind, keys);
  }
  if (config_.attention_scale != 0) queries = queries * (config_.attention_scale * std::sqrt(static_cast<double>(config_.head_dim)));
  return call.attention->attend(layer, rule, queries, keys, parts[2]);
}

at::Tensor Decoder::feed_forward(const Call& call, std::size_t layer, const at::Tensor& x) const {
  const bool few = weights_.layers[layer].projections.size() == 4;  // GPT-2, which has no gate, and Phi-3
  const std::size_t last = few ? 3 : 6;
  at::Tensor gate = project(call, layer, few ? 2 : 4, x);
  if (few && !config_.fused_projections) return project(call, layer, last, activate(config_.hidden_act, gate));
  at::Tensor factors = config_.fused_projections ? gate.chunk(2, 1)[1] : project(call, layer, 5, x);
  if (config_.fused_projections) gate = gate.chunk(2, 1)[0];
  return project(call, layer, last, config_.hidden_act == "silu" ? silu_gate(gate, factors) : activate(config_.hidden_act, gate) * factors);
}

// One layer's output: of the last one that of the selected tokens only, where some are selected.
at::Tensor Decoder::layer(Call& call, std::size_t l, at::Tensor x) const {
  const DecoderLayer& layer = weights_.layers[l];
  at::Tensor mixed = attend(call, l, norm(layer.attention_norm, x));
  if (call.selected.defined() && l + 1 == weights_.layers.size()) {  // nothing looks at the others from here on
    mixed = mixed.index_select(0, call.selected);
    x = x.index_select(0, call.selected);
    call.adapted = call.selected.lt(call.adapted).sum().item<std::int64_t>();
  }
  const std::size_t output = layer.projections.size() == 4 ? 1 : 3;  // GPT-2's and Phi-3's queries, keys and values are one map
  const auto added = [&](const DecoderNorm& around, const at::Tensor& y) { return around.weight.defined() ? norm(around, y) : y; };
  x = x + added(layer.attention_out_norm, project(call, l, output, mixed));
  return x + added(layer.mlp_out_norm, feed_forward(call, l, norm(layer.mlp_norm, x)));
}

// The same, of which the graph keeps the input and the layer's slices of the adapter only.
at::Tensor Decoder::recomputed_layer(const Call& call, std::size_t l, const at::Tensor& x) const {
  std::vector<std::size_t> places;
  for (const LoraPlace& place : places_[l]) {
    if (place.slice < 0 || call.adapter->slices.empty()) continue;
    places.push_back(static_cast<std::size_t>(place.slice));
    places.push_back(static_cast<std::size_t>(place.slice) + 1);
  }
  std::vector<at::Tensor> slices;
  for (const std::size_t place : places) slices.push_back(call.adapter->slices[place]);
  const auto again = [this, call, l, places, adapter = *call.adapter](const at::Tensor& input, const std::vector<at::Tensor>& given) {
    DecoderAdapter with_given = adapter;
    for (std::size_t i = 0; i < places.size(); ++i) with_given.slices[places[i]] = given[i];
    Call own = call;
    own.adapter = &with_given;
    return layer(own, l, input);
  };
  return recomputed(again, x, slices);
}

at::Tensor Decoder::hidden(const DecoderInput& input, DecoderAttention& attention, const DecoderAdapter& adapter, DecoderTap* tap) const {
  Call call{.adapter = &adapter, .attention = &attention, .selected = input.selected, .adapted = adapter.rows, .cosines = {}, .sines = {}};
  at::Tensor x = weights_.tokens.index_select(0, input.ids);
  if (config_.embedding_scale != 1) x = x * at::full({}, config_.embedding_scale, x.options());
  if (weights_.positions.defined()) {
    x = x + weights_.positions.index_select(0, input.positions);
  } else {
    for (std::size_t kind = 0; kind < waves_.size(); ++kind) {
      at::Tensor frequencies = frequencies_[kind].unsqueeze(0);
      if (beyond_.defined()) {
        const at::Tensor longer = input.lengths.gt(config_.rope_scaling->original_max_position_embeddings).unsqueeze(1);
        frequencies = at::where(longer, beyond_.unsqueeze(0), frequencies);
      }
      const at::Tensor angles = (input.positions.to(at::kDouble).unsqueeze(1) * frequencies).unsqueeze(1);
      call.cosines.push_back((angles.cos() * waves_[kind].amplitude).to(x.scalar_type()));
      call.sines.push_back((angles.sin() * waves_[kind].amplitude).to(x.scalar_type()));
    }
  }
  for (std::size_t l = 0; l < weights_.layers.size(); ++l) {
    x = adapter.recompute ? recomputed_layer(call, l, x) : layer(call, l, x);
    if (tap == nullptr || tap->layer != static_cast<std::int64_t>(l)) continue;
    tap->states = x.requires_grad() ? x : x.set_requires_grad(true);  // where no layer so far has an adapter
  }
  return norm(weights_.final_norm, x);
}

}  // namespace paretofl
