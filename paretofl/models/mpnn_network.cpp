#include "paretofl/models/mpnn_network.h"

#include <fmt/format.h>

#include "paretofl/models/molecule_input.h"
#include "paretofl/models/network_layers.h"

namespace paretofl {
namespace {

constexpr auto kPlaces = static_cast<std::int64_t>(kMaxAtoms);
constexpr float kFarBelow = -1e9F;  // a score that no softmax counts

class MpnnBuilder {
 public:
  MpnnBuilder(const Layout& layout, NetworkGraph& graph)
      : graph_(graph),
        width_(layout.slice("encoder.embed.weight").shape[0]),
        nodes_(graph.input({"nodes", {kPlaces, static_cast<std::int64_t>(kNodeFeatures)}})),
        edges_(graph.input({"edges", {kPlaces, kPlaces, static_cast<std::int64_t>(kEdgeFeatures)}})),
        mask_(graph.input({"mask", {kPlaces}})),
        one_(graph.scalar(1)),
        channel_count_(layout.slice("encoder.edge1.weight").shape[0] + 1),
        channels_(edge_channels()) {}

  std::string features(int messages, int readouts) {
    std::string states = relu_of(graph_, affine_of(graph_, "encoder.embed", nodes_));
    for (int message = 0; message < messages; ++message) states = gru(relu_of(graph_, convolution(states)), states);
    return relu_of(graph_, linear_of(graph_, "encoder.readout", set2set(states, readouts)));
  }

 private:
  std::string add(const std::string& a, const std::string& b) { return graph_.add("Add", {a, b}); }
  std::string multiply(const std::string& a, const std::string& b) { return graph_.add("Mul", {a, b}); }
  std::string sigmoid(const std::string& x) { return graph_.add("Sigmoid", {x}); }
  std::string unsqueeze(const std::string& x, std::int64_t axis) { return graph_.add("Unsqueeze", {x, graph_.integers({axis})}); }
  std::vector<std::string> split(const std::string& x, std::size_t parts, std::int64_t axis) {
    return graph_.add_several("Split", {x, graph_.integers(std::vector<std::int64_t>(parts, width_))}, parts, {{"axis", axis}});
  }
  std::string transpose(const std::string& x, std::vector<std::int64_t> order) {
    return graph_.add("Transpose", {x}, {{"perm", std::move(order)}});
  }

  /// [N, P, P]: what a pair counts in the mean over an atom's neighbours, 1 / (n - 1), and 0 without atoms and of an atom with itself.
  std::string pair_shares() {
    std::vector<float> others(static_cast<std::size_t>(kPlaces * kPlaces), 1);
    for (std::int64_t i = 0; i < kPlaces; ++i) others[static_cast<std::size_t>(i * (kPlaces + 1))] = 0;
    const std::string pairs = multiply(unsqueeze(mask_, 2), unsqueeze(mask_, 1));
    const std::string atoms = graph_.add("ReduceSum", {mask_, graph_.integers({1})});  // [N, 1]
    const std::string neighbours = graph_.add("Max", {graph_.add("Sub", {atoms, one_}), one_});
    const std::string counted = multiply(pairs, graph_.floats({kPlaces, kPlaces}, std::move(others)));
    return graph_.add("Div", {counted, unsqueeze(neighbours, 2)});
  }

  /// [N, P, channels, P] by atom, channel, neighbour: the hidden layer of the edge network and a channel of ones, times the shares.
  std::string edge_channels() {
    const std::string hidden = relu_of(graph_, affine_of(graph_, "encoder.edge1", edges_));
    const std::string shares = unsqueeze(pair_shares(), 3);
    const std::string padded = graph_.add("Pad", {hidden, graph_.integers({0, 0, 0, 0, 0, 0, 0, 1}), one_});
    return transpose(multiply(padded, shares), {0, 1, 3, 2});
  }

  /// The edge-conditioned convolution, as EdgeConvolution of mpnn_torch.cpp computes it.
  std::string convolution(const std::string& states) {
    const std::string product = graph_.add("MatMul", {channels_, unsqueeze(states, 1)});  // [N, P, channels, width]
    const std::string flat = graph_.add("Reshape", {product, graph_.integers({0, 0, channel_count_ * width_})});
    const std::string weight = graph_.add("Transpose", {"encoder.edge2.weight"});
    return add(graph_.add("MatMul", {flat, weight}), affine_of(graph_, "encoder.root", states));
  }

  /// As PyTorch's: gates r, z and n.
  std::string gru(const std::string& x, const std::string& state) {
    const auto from_input = split(affine_of(graph_, "encoder.gru.input", x), 3, 2);
    const auto from_state = split(affine_of(graph_, "encoder.gru.state", state), 3, 2);
    const std::string reset = sigmoid(add(from_input[0], from_state[0]));
    const std::string update = sigmoid(add(from_input[1], from_state[1]));
    const std::string fresh = graph_.add("Tanh", {add(from_input[2], multiply(reset, from_state[2]))});
    return add(fresh, multiply(update, graph_.add("Sub", {state, fresh})));
  }

  /// [N, P, width] to [N, 2 width].
  std::string set2set(const std::string& states, int readouts) {
    const std::string scores_without_atom = multiply(graph_.add("Sub", {one_, mask_}), graph_.scalar(kFarBelow));
    const std::string zero = multiply(graph_.add("ReduceSum", {states, graph_.integers({1})}, {{"keepdims", std::int64_t{0}}}),
                                      graph_.scalar(0));  // [N, width]
    std::string query = zero, cell = zero, both = graph_.add("Concat", {zero, zero}, {{"axis", std::int64_t{1}}});
    for (int step = 0; step < readouts; ++step) {
      const auto gates =
          split(add(linear_of(graph_, "encoder.set2set.input", both), linear_of(graph_, "encoder.set2set.state", query)), 4, 1);
      cell = add(multiply(sigmoid(gates[1]), cell), multiply(sigmoid(gates[0]), graph_.add("Tanh", {gates[2]})));
      query = multiply(sigmoid(gates[3]), graph_.add("Tanh", {cell}));
      const std::string scores = graph_.add("MatMul", {states, unsqueeze(query, 2)});  // [N, P, 1]
      const std::string attention = graph_.add("Softmax", {add(scores, unsqueeze(scores_without_atom, 2))}, {{"axis", std::int64_t{1}}});
      const std::string reading = graph_.add("MatMul", {transpose(attention, {0, 2, 1}), states});  // [N, 1, width]
      both = graph_.add("Concat", {query, graph_.add("Squeeze", {reading, graph_.integers({1})})}, {{"axis", std::int64_t{1}}});
    }
    return both;
  }

  NetworkGraph& graph_;
  std::int64_t width_;
  std::string nodes_, edges_, mask_, one_;
  std::int64_t channel_count_;  // of the edge network, with one for its bias
  std::string channels_;        // [N, P, channels, P]
};

}  // namespace

NetworkGraph mpnn_network(const Layout& layout, int messages, int readouts, std::span<const std::string> objectives) {
  NetworkGraph graph;
  const std::string features = MpnnBuilder(layout, graph).features(messages, readouts);
  for (std::size_t k = 0; k < objectives.size(); ++k) {
    graph.output(linear_of(graph, fmt::format("head{}.output", k), features), {objectives[k], {1}});
  }
  return graph;
}

}  // namespace paretofl
