#include "paretofl/models/cifar_cnn_torch.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "paretofl/models/initialize.h"
#include "paretofl/models/network_layers.h"
#include "paretofl/models/torch_graph.h"
#include "paretofl/models/torch_layers.h"

namespace paretofl {
namespace {

constexpr std::int64_t kSide = 32;
constexpr std::int64_t kChannels = 64;
constexpr std::int64_t kHidden = 384;
constexpr std::int64_t kFeatures = 192;
constexpr std::int64_t kHeadHidden = 100;

// The ReLU after the pooling gives the same numbers as before it, and has a quarter of the work.
at::Tensor conv_pool(const TorchCall& call, const std::string& layer, const at::Tensor& x) {
  const at::Tensor convolved = at::conv2d(x, call.parameter(layer + ".weight"), call.parameter(layer + ".bias"), 1, 1);
  return at::relu(at::max_pool2d(convolved, 2));
}

at::Tensor forward(const TorchCall& call, std::span<const int> objectives) {
  const at::Tensor pooled1 = conv_pool(call, "encoder.conv1", call.inputs().contiguous(at::MemoryFormat::ChannelsLast));
  const at::Tensor pooled2 = conv_pool(call, "encoder.conv2", pooled1);
  const at::Tensor hidden = call.dropout(at::relu(linear(call, "encoder.fc1", pooled2.flatten(1))), "hidden");
  const at::Tensor features = call.dropout(at::relu(linear(call, "encoder.fc2", hidden)), "features");
  return linear_heads(call, "fc2", objectives, linear_heads(call, "fc1", objectives, features));
}

NetworkGraph network(std::span<const std::string> objectives, std::int64_t outputs) {
  NetworkGraph graph;
  const std::string images = graph.input({"images", {3, kSide, kSide}});
  const std::string pooled = conv_pool_of(graph, "encoder.conv2", 1, conv_pool_of(graph, "encoder.conv1", 1, images));
  const std::string hidden = relu_of(graph, linear_of(graph, "encoder.fc1", graph.add("Flatten", {pooled})));
  const std::string features = relu_of(graph, linear_of(graph, "encoder.fc2", hidden));
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    const std::string head = fmt::format("head{}", k);
    graph.output(linear_of(graph, head + ".fc2", linear_of(graph, head + ".fc1", features)), {objectives[k], {outputs}});
  }
  return graph;
}

}  // namespace

TorchGraph cifar_cnn_graph(const std::vector<Head>& heads) {
  const std::int64_t outputs = equal_outputs(heads, "cifar_cnn");
  std::vector<Slice> slices;
  add_layer(slices, "encoder.conv1", Slice::kShared, {kChannels, 3, 3, 3});
  add_layer(slices, "encoder.conv2", Slice::kShared, {kChannels, kChannels, 3, 3});
  add_layer(slices, "encoder.fc1", Slice::kShared, {kHidden, kChannels * (kSide / 4) * (kSide / 4)});
  add_layer(slices, "encoder.fc2", Slice::kShared, {kFeatures, kHidden});
  for (int k = 0; k < static_cast<int>(heads.size()); ++k) {
    const std::string head = fmt::format("head{}", k);
    add_layer(slices, head + ".fc1", k, {kHeadHidden, kFeatures});
    add_layer(slices, head + ".fc2", k, {outputs, kHeadHidden});
  }
  const auto layout = std::make_shared<Layout>(std::move(slices));
  return {.layout = layout,
          .heads = heads,
          .input_shape = {3, kSide, kSide},
          .initialize = [layout](const Random& random, std::span<float> parameters) { initialize_by_fan_in(*layout, random, parameters); },
          .forward = forward,
          .network = [outputs](std::span<const std::string> objectives) { return network(objectives, outputs); }};
}

}  // namespace paretofl
