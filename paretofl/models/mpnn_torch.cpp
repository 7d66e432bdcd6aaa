#include "paretofl/models/mpnn_torch.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/models/initialize.h"
#include "paretofl/models/molecule_input.h"
#include "paretofl/models/mpnn_network.h"
#include "paretofl/models/torch_graph.h"
#include "paretofl/models/torch_layers.h"

namespace paretofl {
namespace {

constexpr std::int64_t kWidth = 64;        // of an atom's state
constexpr std::int64_t kEdgeHidden = 128;  // between the two layers of the edge network
constexpr int kMessages = 3, kReadouts = 3;

/// Molecules of the same number of atoms, next to each other in the tensors of Molecules.
struct Group {
  std::int64_t atoms;
  std::int64_t count;
};

/// A batch without its padding, molecules sorted by size.
struct Molecules {
  explicit Molecules(const at::Tensor& inputs);

  /// Hands every group and its rows of `all`, which has `rows(group)` for a group, to `visit`.
  template <class Rows, class Visit>
  void for_each_group(const at::Tensor& all, Rows rows, Visit visit) const {
    std::int64_t first = 0;
    for (const Group& group : groups) {
      visit(group, all.narrow(0, first, rows(group)));
      first += rows(group);
    }
  }

  std::vector<Group> groups;
  at::Tensor nodes;      // [V, kNodeFeatures], V atoms in all
  at::Tensor edges;      // [E, kEdgeFeatures], E pairs: of every molecule all (i, j), i = j too, i slowest
  at::Tensor mean;       // [E, 1] what a pair counts in the mean over an atom's neighbours: 1 / (n - 1), 0 where i = j
  at::Tensor positions;  // [N] where the n-th molecule of the batch stands
};

Molecules::Molecules(const at::Tensor& inputs) {
  const auto count = static_cast<std::size_t>(inputs.size(0));
  const float* data = inputs.data_ptr<float>();
  const auto sample = [&](std::size_t n) { return std::span(data + n * kMoleculeNumbers, kMoleculeNumbers); };
  std::vector<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::int64_t> sizes;
  std::int64_t num_nodes = 0, num_edges = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const float atoms = sample(n)[0];
    expect(atoms >= 1 && atoms <= kMaxAtoms && atoms == std::floor(atoms), "mpnn: expected molecules of 1 to {} atoms, found {}", kMaxAtoms,
           atoms);
    sizes.push_back(static_cast<std::int64_t>(atoms));
    num_nodes += sizes.back();
    num_edges += sizes.back() * sizes.back();
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return sizes[static_cast<std::size_t>(a)] < sizes[static_cast<std::size_t>(b)]; });

  nodes = at::empty({num_nodes, kNodeFeatures});
  edges = at::empty({num_edges, kEdgeFeatures});
  mean = at::empty({num_edges, 1});
  positions = at::empty({inputs.size(0)}, at::kLong);
  auto* node = nodes.data_ptr<float>();
  auto* edge = edges.data_ptr<float>();
  auto* share = mean.data_ptr<float>();
  for (std::size_t rank = 0; rank < count; ++rank) {
    const auto n = static_cast<std::size_t>(order[rank]);
    const auto atoms = static_cast<std::size_t>(sizes[n]);
    positions.data_ptr<std::int64_t>()[n] = static_cast<std::int64_t>(rank);
    if (groups.empty() || groups.back().atoms != sizes[n]) groups.push_back({.atoms = sizes[n], .count = 0});
    ++groups.back().count;
    for (std::size_t i = 0; i < atoms; ++i) {
      const auto place = sample(n).subspan(1 + i * kAtomNumbers, kAtomNumbers);
      node = std::copy_n(place.begin(), kNodeFeatures, node);
      edge = std::copy_n(place.begin() + kNodeFeatures, kEdgeFeatures * atoms, edge);
      for (std::size_t j = 0; j < atoms; ++j) *share++ = i == j ? 0.0F : 1 / static_cast<float>(atoms - 1);
    }
  }
}

/// The edge-conditioned convolution, mean over j of W(e_ij) h_j. With W(e) = sum_c a_c(e) W_c, a = ReLU(edge1 e), and
/// W_c the columns of edge2 (its bias stands with a constant a_c = 1), it is sum_c W_c p_ic, p_ic = mean over j of
/// a_c(e_ij) h_j: a product of 64 x 128 numbers per atom with all of edge2, in place of 64 x 64 numbers per pair.
class EdgeConvolution {
 public:
  EdgeConvolution(const TorchCall& call, const Molecules& molecules) : call_(call), molecules_(molecules) {
    const at::Tensor hidden = at::relu(linear(call, "encoder.edge1", molecules.edges));
    const at::Tensor channels = at::cat({hidden, at::ones({hidden.size(0), 1})}, 1) * molecules.mean;
    const auto pairs = [](const Group& group) { return group.count * group.atoms * group.atoms; };
    molecules.for_each_group(channels, pairs, [&](const Group& group, const at::Tensor& of_group) {
      const at::Tensor by_channel = of_group.view({group.count, group.atoms, group.atoms, kEdgeHidden + 1}).transpose(2, 3);
      channels_.push_back(by_channel.reshape({group.count, group.atoms * (kEdgeHidden + 1), group.atoms}));
    });
  }

  /// [V, 64] to [V, 64], root and bias included.
  at::Tensor operator()(const at::Tensor& states) const {
    std::vector<at::Tensor> products;
    const auto atoms = [](const Group& group) { return group.count * group.atoms; };
    molecules_.for_each_group(states, atoms, [&](const Group& group, const at::Tensor& of_group) {
      const at::Tensor product = at::bmm(channels_[products.size()], of_group.view({group.count, group.atoms, kWidth}));
      products.push_back(product.view({group.count * group.atoms, (kEdgeHidden + 1) * kWidth}));
    });
    return at::linear(at::cat(products), call_.parameter("encoder.edge2.weight")) + linear(call_, "encoder.root", states);
  }

 private:
  const TorchCall& call_;
  const Molecules& molecules_;
  std::vector<at::Tensor> channels_;  // per group [count, atoms * 129, atoms]
};

/// Set2Set: [V, 64] to [N, 128], molecules in the order of the groups.
at::Tensor set2set(const TorchCall& call, const Molecules& molecules, const at::Tensor& states) {
  const std::int64_t count = molecules.positions.size(0);
  at::Tensor query = at::zeros({count, kWidth}), cell = at::zeros({count, kWidth}), both = at::zeros({count, 2 * kWidth});
  for (int step = 0; step < kReadouts; ++step) {
    std::tie(query, cell) =
        at::lstm_cell(both, {query, cell}, call.parameter("encoder.set2set.input.weight"), call.parameter("encoder.set2set.state.weight"),
                      call.parameter("encoder.set2set.input.bias"), call.parameter("encoder.set2set.state.bias"));
    std::vector<at::Tensor> readings;
    std::int64_t first = 0;
    const auto atoms = [](const Group& group) { return group.count * group.atoms; };
    molecules.for_each_group(states, atoms, [&](const Group& group, const at::Tensor& of_group) {
      const at::Tensor set = of_group.view({group.count, group.atoms, kWidth});
      const at::Tensor asked = query.narrow(0, first, group.count).unsqueeze(2);
      const at::Tensor attention = at::softmax(at::bmm(set, asked), 1);  // [count, atoms, 1]
      readings.push_back(at::bmm(attention.transpose(1, 2), set).squeeze(1));
      first += group.count;
    });
    both = at::cat({query, at::cat(readings)}, 1);
  }
  return both;
}

at::Tensor forward(const TorchCall& call, std::span<const int> objectives) {
  const Molecules molecules(call.inputs());
  const EdgeConvolution convolve(call, molecules);
  at::Tensor states = at::relu(linear(call, "encoder.embed", molecules.nodes));
  for (int message = 0; message < kMessages; ++message) {
    states = at::gru_cell(at::relu(convolve(states)), states, call.parameter("encoder.gru.input.weight"),
                          call.parameter("encoder.gru.state.weight"), call.parameter("encoder.gru.input.bias"),
                          call.parameter("encoder.gru.state.bias"));
  }
  const at::Tensor read = set2set(call, molecules, states).index_select(0, molecules.positions);
  return linear_heads(call, "output", objectives, at::relu(linear(call, "encoder.readout", read)));
}

std::shared_ptr<const Layout> mpnn_layout(const std::vector<Head>& heads) {
  std::vector<Slice> slices;
  add_layer(slices, "encoder.embed", Slice::kShared, {kWidth, kNodeFeatures});
  add_layer(slices, "encoder.edge1", Slice::kShared, {kEdgeHidden, kEdgeFeatures});
  // [out, c, in] with the bias as the last c, so that no step has to turn these half a million numbers around.
  add_layer(slices, "encoder.edge2", Slice::kShared, {kWidth, (kEdgeHidden + 1) * kWidth}, false);
  add_layer(slices, "encoder.root", Slice::kShared, {kWidth, kWidth});
  add_layer(slices, "encoder.gru.input", Slice::kShared, {3 * kWidth, kWidth});
  add_layer(slices, "encoder.gru.state", Slice::kShared, {3 * kWidth, kWidth});
  add_layer(slices, "encoder.set2set.input", Slice::kShared, {4 * kWidth, 2 * kWidth});
  add_layer(slices, "encoder.set2set.state", Slice::kShared, {4 * kWidth, kWidth});
  add_layer(slices, "encoder.readout", Slice::kShared, {kWidth, 2 * kWidth});
  for (int k = 0; k < static_cast<int>(heads.size()); ++k) add_layer(slices, fmt::format("head{}.output", k), k, {1, kWidth});
  return std::make_shared<Layout>(std::move(slices));
}

// Where a slice's shape does not tell what PyTorch starts with: edge2 is within 1 / sqrt(128), all of an LSTM within
// 1 / sqrt(its width), and PyTorch Geometric's convolution has a bias of zero.
void initialize(const Layout& layout, const Random& random, std::span<float> parameters) {
  initialize_by_fan_in(layout, random, parameters);
  const auto scale = [&](const char* slice, float factor) {
    const Range range = layout.slice(slice).range;
    for (float& x : parameters.subspan(range.begin, range.size())) x *= factor;
  };
  scale("encoder.edge2.weight", std::sqrt(static_cast<float>((kEdgeHidden + 1) * kWidth) / kEdgeHidden));
  for (const char* slice : {"encoder.set2set.input.weight", "encoder.set2set.input.bias"}) scale(slice, std::sqrt(2.0F));
  scale("encoder.root.bias", 0);
}

}  // namespace

TorchGraph mpnn_graph(const std::vector<Head>& heads) {
  expect(equal_outputs(heads, "mpnn") == 1, "workload.model: expected objectives of one output each for mpnn, found {} outputs",
         heads[0].outputs);
  const std::shared_ptr<const Layout> layout = mpnn_layout(heads);
  return {.layout = layout,
          .heads = heads,
          .input_shape = {kMoleculeNumbers},
          .initialize = [layout](const Random& random, std::span<float> parameters) { initialize(*layout, random, parameters); },
          .forward = forward,
          .network = [layout](std::span<const std::string> objectives) { return mpnn_network(*layout, kMessages, kReadouts, objectives); }};
}

}  // namespace paretofl
