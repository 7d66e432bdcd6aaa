#include "paretofl/models/lenet_torch.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "paretofl/models/initialize.h"
#include "paretofl/models/lenet_layout.h"
#include "paretofl/models/torch_graph.h"
#include "paretofl/models/torch_layers.h"

namespace paretofl {
namespace {

at::Tensor conv_pool(const TorchCall& call, const std::string& layer, const at::Tensor& x, std::int64_t padding) {
  const at::Tensor convolved = at::conv2d(x, call.parameter(layer + ".weight"), call.parameter(layer + ".bias"), 1, padding);
  return at::relu(at::max_pool2d(convolved, 2));
}

at::Tensor forward(const TorchCall& call, std::span<const int> objectives) {
  const at::Tensor pooled1 = conv_pool(call, "encoder.conv1", call.inputs(), 1);
  const at::Tensor pooled2 = conv_pool(call, "encoder.conv2", pooled1, 0);
  const at::Tensor features = call.dropout(at::relu(linear(call, "encoder.fc", pooled2.flatten(1))), "encoder");
  std::vector<at::Tensor> outputs;
  for (const int k : objectives) {
    const std::string head = fmt::format("head{}", k);
    const at::Tensor hidden = call.dropout(at::relu(linear(call, head + ".fc1", features)), "head", static_cast<std::uint64_t>(k));
    outputs.push_back(linear(call, head + ".fc2", hidden));
  }
  return at::stack(outputs);
}

}  // namespace

TorchGraph lenet_graph(const std::vector<Head>& heads) {
  const std::shared_ptr<const Layout> layout = lenet_layout(heads);
  return {.layout = layout,
          .heads = heads,
          .input_shape = {1, kLenetImage, kLenetImage},
          .initialize = [layout](const Random& random, std::span<float> parameters) { initialize_by_fan_in(*layout, random, parameters); },
          .forward = forward};
}

}  // namespace paretofl
