#include "paretofl/models/conv_net_torch.h"

#include <ATen/ATen.h>

#include "paretofl/models/initialize.h"
#include "paretofl/models/torch_graph.h"
#include "paretofl/models/torch_layers.h"

namespace paretofl {
namespace {

at::Tensor conv_pool(const TorchCall& call, const std::string& layer, const at::Tensor& x, std::int64_t padding) {
  const at::Tensor convolved = at::conv2d(x, call.parameter(layer + ".weight"), call.parameter(layer + ".bias"), 1, padding);
  return at::relu(at::max_pool2d(convolved, 2));
}

at::Tensor forward(const TorchCall& call, std::span<const int> objectives, bool hidden_layer) {
  const at::Tensor pooled1 = conv_pool(call, "encoder.conv1", call.inputs(), 1);
  const at::Tensor pooled2 = conv_pool(call, "encoder.conv2", pooled1, 0);
  const at::Tensor features = call.dropout(at::relu(linear(call, "encoder.fc", pooled2.flatten(1))), "encoder");
  if (!hidden_layer) return linear_heads(call, "fc", objectives, features);
  const at::Tensor hidden = at::relu(linear_heads(call, "fc1", objectives, features));
  std::vector<at::Tensor> kept;
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    kept.push_back(call.dropout(hidden.select(0, static_cast<std::int64_t>(i)), "head", static_cast<std::uint64_t>(objectives[i])));
  }
  return linear_heads(call, "fc2", objectives, at::stack(kept));
}

}  // namespace

TorchGraph conv_net_graph(const ConvNetShape& shape, const std::vector<Head>& heads) {
  equal_outputs(heads, shape.name);
  const std::shared_ptr<const Layout> layout = conv_net_layout(shape, heads);
  const auto side = static_cast<std::int64_t>(shape.side);
  return {.layout = layout,
          .heads = heads,
          .input_shape = {static_cast<std::int64_t>(shape.channels), side, side},
          .initialize = [layout](const Random& random, std::span<float> parameters) { initialize_by_fan_in(*layout, random, parameters); },
          .forward = [hidden_layer = shape.head_hidden > 0](
                         const TorchCall& call, std::span<const int> objectives) { return forward(call, objectives, hidden_layer); },
          .network = [shape, heads](std::span<const std::string> objectives) { return conv_net_network(shape, heads, objectives); }};
}

}  // namespace paretofl
