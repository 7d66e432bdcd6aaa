#include "paretofl/models/torch_layers.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "paretofl/core/error.h"
#include "paretofl/models/torch_graph.h"

namespace paretofl {

std::int64_t equal_outputs(const std::vector<Head>& heads, const char* model) {
  for (const Head& head : heads) {
    expect(head.outputs == heads[0].outputs, "workload.model: expected objectives with the same number of outputs for {}, found {} and {}",
           model, heads[0].outputs, head.outputs);
    expect(head.outputs >= 1 && head.label_values() <= 256,
           "workload.model: expected labels of one byte for {}, found {} outputs with the loss {}", model, head.outputs,
           to_text(head.loss));
  }
  return static_cast<std::int64_t>(heads[0].outputs);
}

void add_layer(std::vector<Slice>& slices, const std::string& layer, int head, std::vector<std::int64_t> shape, bool bias) {
  const std::int64_t out = shape[0];
  slices.push_back({.name = layer + ".weight", .shape = std::move(shape), .head = head, .range = {}});
  if (bias) slices.push_back({.name = layer + ".bias", .shape = {out}, .head = head, .range = {}});
}

at::Tensor linear(const TorchCall& call, const std::string& layer, const at::Tensor& x) {
  return at::linear(x, call.parameter(layer + ".weight"), call.parameter(layer + ".bias"));
}

at::Tensor linear_heads(const TorchCall& call, const std::string& layer, std::span<const int> objectives, const at::Tensor& x) {
  std::vector<at::Tensor> weights;
  std::vector<at::Tensor> biases;
  for (const int k : objectives) {
    weights.push_back(call.parameter(fmt::format("head{}.{}.weight", k, layer)));
    biases.push_back(call.parameter(fmt::format("head{}.{}.bias", k, layer)));
  }
  const at::Tensor weight = at::stack(weights);
  const at::Tensor bias = at::stack(biases);
  const std::int64_t heads = weight.size(0), out = weight.size(1);
  if (x.dim() == 3) return at::baddbmm(bias.unsqueeze(1), x, weight.transpose(1, 2));
  return at::linear(x, weight.flatten(0, 1), bias.flatten()).view({x.size(0), heads, out}).transpose(0, 1);
}

}  // namespace paretofl
