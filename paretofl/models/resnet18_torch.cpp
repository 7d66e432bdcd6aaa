#include "paretofl/models/resnet18_torch.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "paretofl/models/initialize.h"
#include "paretofl/models/network_layers.h"
#include "paretofl/models/torch_graph.h"
#include "paretofl/models/torch_layers.h"

namespace paretofl {
namespace {

constexpr std::int64_t kSide = 32;
constexpr std::int64_t kGroups = 2;
constexpr std::int64_t kStem = 64;
constexpr std::int64_t kFeatures = 512;

// A residual block: its slices' prefix and sizes.
struct Block {
  std::string name;
  std::int64_t in;
  std::int64_t out;
  std::int64_t stride;

  bool has_shortcut() const { return stride != 1 || in != out; }
};

std::vector<Block> blocks() {
  std::vector<Block> list;
  std::int64_t in = kStem;
  for (int stage = 0; stage < 4; ++stage) {
    const std::int64_t out = kStem << stage;
    for (int i = 0; i < 2; ++i) {
      list.push_back({fmt::format("encoder.stage{}.block{}", stage + 1, i + 1), in, out, stage > 0 && i == 0 ? 2 : 1});
      in = out;
    }
  }
  return list;
}

void add_conv_norm(std::vector<Slice>& slices, const std::string& name, std::int64_t in, std::int64_t out, std::int64_t kernel) {
  add_layer(slices, name + ".conv", Slice::kShared, {out, in, kernel, kernel}, false);
  add_layer(slices, name + ".norm", Slice::kShared, {out});
}

at::Tensor conv_norm(const TorchCall& call, const std::string& name, const at::Tensor& x, std::int64_t stride) {
  const at::Tensor& weight = call.parameter(name + ".conv.weight");
  const at::Tensor convolved = at::conv2d(x, weight, {}, stride, weight.size(2) / 2);
  return at::group_norm(convolved, kGroups, call.parameter(name + ".norm.weight"), call.parameter(name + ".norm.bias"));
}

at::Tensor forward_block(const TorchCall& call, const Block& block, const at::Tensor& x) {
  const at::Tensor inner = at::relu(conv_norm(call, block.name + ".first", x, block.stride));
  const at::Tensor shortcut = block.has_shortcut() ? conv_norm(call, block.name + ".shortcut", x, block.stride) : x;
  return at::relu(conv_norm(call, block.name + ".second", inner, 1) + shortcut);
}

at::Tensor forward(const TorchCall& call, std::span<const int> objectives) {
  at::Tensor x = at::relu(conv_norm(call, "encoder.stem", call.inputs().contiguous(at::MemoryFormat::ChannelsLast), 1));
  for (const Block& block : blocks()) x = forward_block(call, block, x);
  return linear_heads(call, "fc", objectives, at::avg_pool2d(x, 3).flatten(1));
}

/// The convolution, and group normalization as the normalization of one instance of kGroups channels.
std::string conv_norm_of(NetworkGraph& graph, const std::string& name, const ConvolutionShape& shape, std::int64_t channels,
                         const std::string& x, std::int64_t side) {
  const std::string convolved = convolution_of(graph, name + ".conv", shape, x);
  const std::string grouped = graph.add("Reshape", {convolved, graph.integers({0, kGroups, -1})});
  const std::string ones = graph.floats({kGroups}, std::vector<float>(kGroups, 1));
  const std::string zeros = graph.floats({kGroups}, std::vector<float>(kGroups, 0));
  const std::string normal = graph.add("InstanceNormalization", {grouped, ones, zeros}, {{"epsilon", 1e-5F}});
  const std::string restored = graph.add("Reshape", {normal, graph.integers({0, channels, side, side})});
  const std::string per_channel = graph.integers({channels, 1, 1});
  const auto parameter = [&](const char* kind) { return graph.add("Reshape", {name + ".norm." + kind, per_channel}); };
  return graph.add("Add", {graph.add("Mul", {restored, parameter("weight")}), parameter("bias")});
}

NetworkGraph network(std::span<const std::string> objectives, std::int64_t outputs) {
  NetworkGraph graph;
  std::int64_t side = kSide;
  std::string x = relu_of(
      graph, conv_norm_of(graph, "encoder.stem", {.padding = 1, .bias = false}, kStem, graph.input({"images", {3, kSide, kSide}}), side));
  for (const Block& block : blocks()) {
    side /= block.stride;
    const auto part = [&](const char* name, const ConvolutionShape& shape, const std::string& from) {
      return conv_norm_of(graph, block.name + name, shape, block.out, from, side);
    };
    const std::string inner = relu_of(graph, part(".first", {.padding = 1, .stride = block.stride, .bias = false}, x));
    const std::string shortcut = block.has_shortcut() ? part(".shortcut", {.kernel = 1, .stride = block.stride, .bias = false}, x) : x;
    x = relu_of(graph, graph.add("Add", {part(".second", {.padding = 1, .bias = false}, inner), shortcut}));
  }
  const std::vector<std::int64_t> three = {3, 3};
  const std::string mean = graph.add("Flatten", {graph.add("AveragePool", {x}, {{"kernel_shape", three}, {"strides", three}})});
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    graph.output(linear_of(graph, fmt::format("head{}.fc", k), mean), {objectives[k], {outputs}});
  }
  return graph;
}

// A normalization starts as the identity.
void initialize(const Layout& layout, const Random& random, std::span<float> parameters) {
  initialize_by_fan_in(layout, random, parameters);
  for (const Slice& slice : layout.slices()) {
    if (slice.name.find(".norm.") == std::string::npos) continue;
    const auto part = parameters.subspan(slice.range.begin, slice.range.size());
    std::fill(part.begin(), part.end(), slice.name.ends_with(".weight") ? 1.0F : 0.0F);
  }
}

}  // namespace

TorchGraph resnet18_graph(const std::vector<Head>& heads) {
  const std::int64_t outputs = equal_outputs(heads, "resnet18");
  std::vector<Slice> slices;
  add_conv_norm(slices, "encoder.stem", 3, kStem, 3);
  for (const Block& block : blocks()) {
    add_conv_norm(slices, block.name + ".first", block.in, block.out, 3);
    add_conv_norm(slices, block.name + ".second", block.out, block.out, 3);
    if (block.has_shortcut()) add_conv_norm(slices, block.name + ".shortcut", block.in, block.out, 1);
  }
  for (int k = 0; k < static_cast<int>(heads.size()); ++k) add_layer(slices, fmt::format("head{}.fc", k), k, {outputs, kFeatures});
  const auto layout = std::make_shared<Layout>(std::move(slices));
  return {.layout = layout,
          .heads = heads,
          .input_shape = {3, kSide, kSide},
          .initialize = [layout](const Random& random, std::span<float> parameters) { initialize(*layout, random, parameters); },
          .forward = forward,
          .network = [outputs](std::span<const std::string> objectives) { return network(objectives, outputs); }};
}

}  // namespace paretofl
