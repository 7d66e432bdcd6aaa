#include "paretofl/language/lane_weights_torch.h"

#include <ATen/ATen.h>

namespace paretofl {
namespace {

const float* pointer(const at::Tensor& tensor) { return tensor.defined() ? tensor.data_ptr<float>() : nullptr; }

LaneMatrix matrix(const at::Tensor& tensor) {
  return {.values = pointer(tensor),
          .out = static_cast<std::size_t>(tensor.size(0)),
          .in = static_cast<std::size_t>(tensor.size(1)),
          .out_stride = static_cast<std::size_t>(tensor.stride(0)),
          .in_stride = static_cast<std::size_t>(tensor.stride(1))};
}

LaneNorm norm(const DecoderNorm& norm) { return {.weight = pointer(norm.weight), .bias = pointer(norm.bias)}; }

LaneCache lane_cache(const KvCache& cache, std::size_t layer) {
  return {.keys = cache.keys[layer].data_ptr<float>(),
          .values = cache.values[layer].data_ptr<float>(),
          .capacity = static_cast<std::size_t>(cache.values[layer].size(2))};
}

}  // namespace

bool fits_lanes(const Decoder& decoder) {
  const DecoderWeights& weights = decoder.weights();
  return !decoder.config().fused_projections && weights.tokens.is_cpu() && weights.tokens.scalar_type() == at::kFloat;
}

Int8Weights int8_weights(const Decoder& decoder) {
  Int8Weights rounded;
  for (const DecoderLayer& layer : decoder.weights().layers) {
    std::vector<Int8Matrix>& matrices = rounded.layers.emplace_back();
    for (const DecoderLinear& projection : layer.projections) matrices.emplace_back(matrix(projection.weight));
  }
  rounded.head = Int8Matrix(matrix(decoder.weights().head));
  return rounded;
}

LaneWeights lane_weights(const Decoder& decoder, const std::vector<at::Tensor>& adapter, const KvCache& prompts, const KvCache& drawn,
                         const Int8Weights* rounded) {
  const DecoderWeights& weights = decoder.weights();
  LaneWeights lanes{.tokens = pointer(weights.tokens),
                    .positions = pointer(weights.positions),
                    .layers = {},
                    .final_norm = norm(weights.final_norm),
                    .head = matrix(weights.head),
                    .rounded_head = rounded == nullptr ? nullptr : &rounded->head};
  for (std::size_t l = 0; l < weights.layers.size(); ++l) {
    const DecoderLayer& layer = weights.layers[l];
    LaneLayer lane{.attention_norm = norm(layer.attention_norm),
                   .mlp_norm = norm(layer.mlp_norm),
                   .attention_out_norm = norm(layer.attention_out_norm),
                   .mlp_out_norm = norm(layer.mlp_out_norm),
                   .query_norm = norm(layer.query_norm),
                   .key_norm = norm(layer.key_norm),
                   .window = decoder.config().window(l),
                   .rotated = decoder.config().rotates(l),
                   .projections = {},
                   .prompts = lane_cache(prompts, l),
                   .drawn = lane_cache(drawn, l)};
    for (std::size_t p = 0; p < layer.projections.size(); ++p) {
      LaneLinear linear{.weight = matrix(layer.projections[p].weight),
                        .rounded = rounded == nullptr ? nullptr : &rounded->layers[l][p],
                        .bias = pointer(layer.projections[p].bias)};
      if (const LoraPlace& place = decoder.places()[l][p]; place.slice >= 0 && !adapter.empty()) {
        const auto first = static_cast<std::size_t>(place.slice);
        linear.lora_a = pointer(adapter[first]);
        linear.lora_b = pointer(adapter[first + 1]);
        linear.lora_rank = static_cast<std::size_t>(place.rank);
        linear.lora_scale = static_cast<float>(place.scale);
      }
      lane.projections.push_back(linear);
    }
    lanes.layers.push_back(std::move(lane));
  }
  return lanes;
}

}  // namespace paretofl
