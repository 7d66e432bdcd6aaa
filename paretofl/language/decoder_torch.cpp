#include "paretofl/language/decoder_torch.h"

#include <ATen/ATen.h>

#include "paretofl/core/error.h"
#include "paretofl/language/activation_torch.h"
#include "paretofl/language/decoder_ops_torch.h"
#include "paretofl/language/lora_dropout_torch.h"
#include "paretofl/language/rope.h"

namespace paretofl {
// What one forward pass carries from layer to layer besides the hidden states.
struct Decoder::Call {
  const DecoderAdapter& adapter;
  std::int64_t adapted;  // leading rows that the adapter applies to
  at::Tensor cosines;    // [N, 1, head_dim / 2]
  at::Tensor sines;
};

Decoder::Decoder(const LanguageModelConfig& config, const LoraOptions& lora, DecoderWeights weights)
    : config_(config), lora_(lora), places_(lora_places(config, lora)), weights_(std::move(weights)) {
  if (weights_.positions.defined()) return;
  const std::vector<double> frequencies = rope_frequencies(config);
  rope_frequencies_ = at::tensor(frequencies, at::kDouble).to(weights_.tokens.device());
}

at::Tensor Decoder::norm(const DecoderNorm& norm, const at::Tensor& x) const {
  if (norm.bias.defined()) return at::layer_norm(x, {config_.hidden_size}, norm.weight, norm.bias, config_.norm_epsilon);
  return rms_norm(x, norm.weight, config_.norm_epsilon);
}

at::Tensor Decoder::project(const Call& call, std::size_t layer, std::size_t projection, const at::Tensor& x) const {
  const DecoderLinear& linear = weights_.layers[layer].projections[projection];
  at::Tensor y = linear.bias.defined() ? at::addmm(linear.bias, x, linear.weight.t()) : at::mm(x, linear.weight.t());
  const int place = places_.first[projection];
  if (place < 0 || call.adapter.slices.empty()) return y;
  const std::size_t first = layer * static_cast<std::size_t>(places_.per_layer) + static_cast<std::size_t>(place);
  const at::Tensor a = call.adapter.slices[first].to(x.scalar_type());
  const at::Tensor b = call.adapter.slices[first + 1].to(x.scalar_type());
  const double scale = lora_.alpha / static_cast<double>(lora_.rank);
  if (call.adapted < x.size(0)) {
    y.narrow(0, 0, call.adapted).addmm_(at::mm(x.narrow(0, 0, call.adapted), a.t()), b.t(), 1, scale);
    return y;
  }
  const Random* dropout = call.adapter.dropout;
  const at::Tensor dropped =
      dropout == nullptr || lora_.dropout == 0 ? x : drop_out(x, lora_.dropout, dropout->substream("lora_dropout", first));
  return y.addmm_(at::mm(dropped, a.t()), b.t(), 1, scale);
}

at::Tensor Decoder::attend(const Call& call, DecoderAttention& attention, std::size_t layer, const at::Tensor& x) const {
  const std::int64_t heads = config_.num_attention_heads;
  const std::int64_t pairs = config_.num_key_value_heads;
  if (!call.cosines.defined()) {
    const std::vector<at::Tensor> parts = project(call, layer, 0, x).view({x.size(0), 3 * heads, config_.head_dim}).chunk(3, 1);
    return attention.attend(layer, parts[0], parts[1], parts[2]);
  }
  const auto part = [&](std::size_t projection, std::int64_t count) {
    return project(call, layer, projection, x).view({x.size(0), count, config_.head_dim});
  };
  return attention.attend(layer, rotate(part(0, heads), call.cosines, call.sines), rotate(part(1, pairs), call.cosines, call.sines),
                          part(2, pairs));
}

at::Tensor Decoder::hidden(const DecoderInput& input, DecoderAttention& attention, const DecoderAdapter& adapter, DecoderTap* tap) const {
  Call call{.adapter = adapter, .adapted = adapter.rows, .cosines = {}, .sines = {}};
  at::Tensor x = weights_.tokens.index_select(0, input.ids);
  if (weights_.positions.defined()) {
    x = x + weights_.positions.index_select(0, input.positions);
  } else {
    const at::Tensor angles = at::outer(input.positions.to(at::kDouble), rope_frequencies_).unsqueeze(1);
    call.cosines = angles.cos().to(x.scalar_type());
    call.sines = angles.sin().to(x.scalar_type());
  }
  for (std::size_t l = 0; l < weights_.layers.size(); ++l) {
    const DecoderLayer& layer = weights_.layers[l];
    at::Tensor mixed = attend(call, attention, l, norm(layer.attention_norm, x));
    if (input.selected.defined() && l + 1 == weights_.layers.size()) {  // nothing looks at the others from here on
      mixed = mixed.index_select(0, input.selected);
      x = x.index_select(0, input.selected);
      call.adapted = input.selected.lt(adapter.rows).sum().item<std::int64_t>();
    }
    const std::size_t mlp = layer.projections.size() == 4 ? 2 : 4;  // GPT-2's queries, keys and values are one map, its MLP has no gate
    x = x + project(call, l, mlp - 1, mixed);
    const at::Tensor normed = norm(layer.mlp_norm, x);
    at::Tensor inner = project(call, l, mlp, normed);
    if (mlp == 4 && config_.hidden_act == "silu") {
      inner = silu_gate(inner, project(call, l, mlp + 1, normed));
    } else {
      inner = activate(config_.hidden_act, inner);
      if (mlp == 4) inner = inner * project(call, l, mlp + 1, normed);
    }
    x = x + project(call, l, layer.projections.size() - 1, inner);
    if (tap != nullptr && tap->layer == static_cast<std::int64_t>(l)) tap->states = x;
  }
  return norm(weights_.final_norm, x);
}

}  // namespace paretofl
