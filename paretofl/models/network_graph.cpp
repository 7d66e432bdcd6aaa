#include "paretofl/models/network_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace paretofl {

std::string NetworkGraph::new_name() { return fmt::format("value:{}", ++names_); }

std::string NetworkGraph::input(Port port) { return inputs.emplace_back(std::move(port)).name; }

std::string NetworkGraph::add(const std::string& operation, std::vector<std::string> from, Attributes attributes) {
  return add_several(operation, std::move(from), 1, std::move(attributes)).front();
}

std::vector<std::string> NetworkGraph::add_several(const std::string& operation, std::vector<std::string> from, std::size_t count,
                                                   Attributes attributes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(new_name());
  nodes.push_back({operation, std::move(from), names, std::move(attributes)});
  return names;
}

void NetworkGraph::output(const std::string& value, Port port) {
  nodes.push_back({"Identity", {value}, {port.name}, {}});
  outputs.push_back(std::move(port));
}

void NetworkGraph::normalize_input(std::span<const double> mean, std::span<const double> std) {
  const Port& port = inputs.at(0);
  std::vector<std::int64_t> shape(port.shape.size(), 1);
  shape[0] = port.shape.at(0);
  const auto by_channel = [&](std::span<const double> numbers) {
    const auto channels = static_cast<std::size_t>(shape[0]);
    assert(numbers.size() == 1 || numbers.size() == channels);
    return floats(shape, numbers.size() == 1 ? std::vector<float>(channels, static_cast<float>(numbers[0]))
                                             : std::vector<float>(numbers.begin(), numbers.end()));
  };
  const std::string means = by_channel(mean);
  const std::string stds = by_channel(std);
  const std::string centred = new_name();
  const std::string normal = new_name();
  for (Node& node : nodes) std::replace(node.inputs.begin(), node.inputs.end(), port.name, normal);
  nodes.insert(nodes.begin(), {{"Sub", {port.name, means}, {centred}, {}}, {"Div", {centred, stds}, {normal}, {}}});
}

void NetworkGraph::scale_output(const std::string& name, double factor, double shift) {
  const std::string raw = new_name();
  for (Node& node : nodes) std::replace(node.outputs.begin(), node.outputs.end(), name, raw);
  const std::string scaled = add("Mul", {raw, scalar(static_cast<float>(factor))});
  nodes.push_back({"Add", {scaled, scalar(static_cast<float>(shift))}, {name}, {}});
}

std::string NetworkGraph::floats(std::vector<std::int64_t> shape, std::vector<float> values) {
  return constants.emplace_back(Constant{new_name(), std::move(shape), std::move(values)}).name;
}

std::string NetworkGraph::integers(std::vector<std::int64_t> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return constants.emplace_back(Constant{new_name(), {count}, std::move(values)}).name;
}

}  // namespace paretofl
