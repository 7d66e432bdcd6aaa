#include "paretofl/models/conv_net_shape.h"

#include "paretofl/core/error.h"
#include "paretofl/models/network_layers.h"

namespace paretofl {

std::shared_ptr<const Layout> conv_net_layout(const ConvNetShape& shape, const std::vector<Head>& heads) {
  const auto size = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  std::vector<Slice> slices;
  const auto add = [&](const std::string& layer, int head, std::vector<std::int64_t> extents) {
    const std::int64_t out = extents[0];
    slices.push_back({.name = layer + ".weight", .shape = std::move(extents), .head = head, .range = {}});
    slices.push_back({.name = layer + ".bias", .shape = {out}, .head = head, .range = {}});
  };
  add("encoder.conv1", Slice::kShared, {size(shape.channels1), size(shape.channels), 3, 3});
  add("encoder.conv2", Slice::kShared, {size(shape.channels2), size(shape.channels1), 3, 3});
  add("encoder.fc", Slice::kShared, {size(shape.features), size(shape.flat())});
  for (std::size_t k = 0; k < heads.size(); ++k) {
    expect(heads[k].outputs >= 1 && heads[k].outputs <= 256 && heads[k].has_labels() && heads[k].label_values() <= 256,
           "workload.model: expected objectives with labels of one byte for {}, found one of {} outputs with the loss {}", shape.name,
           heads[k].outputs, to_text(heads[k].loss));
    const std::string head = fmt::format("head{}", k);
    const int id = static_cast<int>(k);
    if (shape.head_hidden == 0) {
      add(head + ".fc", id, {size(heads[k].outputs), size(shape.features)});
    } else {
      add(head + ".fc1", id, {size(shape.head_hidden), size(shape.features)});
      add(head + ".fc2", id, {size(heads[k].outputs), size(shape.head_hidden)});
    }
  }
  return std::make_shared<Layout>(std::move(slices));
}

NetworkGraph conv_net_network(const ConvNetShape& shape, const std::vector<Head>& heads, std::span<const std::string> objectives) {
  NetworkGraph graph;
  const auto side = static_cast<std::int64_t>(shape.side);
  const std::string images = graph.input({"images", {static_cast<std::int64_t>(shape.channels), side, side}});
  const std::string pooled = conv_pool_of(graph, "encoder.conv2", 0, conv_pool_of(graph, "encoder.conv1", 1, images));
  const std::string features = relu_of(graph, linear_of(graph, "encoder.fc", graph.add("Flatten", {pooled})));
  for (std::size_t k = 0; k < heads.size(); ++k) {
    const std::string head = fmt::format("head{}", k);
    const std::string outputs = shape.head_hidden == 0
                                    ? linear_of(graph, head + ".fc", features)
                                    : linear_of(graph, head + ".fc2", relu_of(graph, linear_of(graph, head + ".fc1", features)));
    graph.output(outputs, {objectives[k], {static_cast<std::int64_t>(heads[k].outputs)}});
  }
  return graph;
}

}  // namespace paretofl
