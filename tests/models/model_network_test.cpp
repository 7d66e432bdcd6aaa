// The networks that models export compute what the models compute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "paretofl/models/network_layers.h"
#include "paretofl/models/registry.h"
#include "tests/models/random_molecules.h"
#include "tests/network_interpreter.h"

namespace paretofl {
namespace {

constexpr std::size_t kNetworkSamples = 2;
const std::set<std::string> kModelsWithNetworks = {
    "lenet", "small_cnn", "lenet_torch", "small_cnn_torch", "lenet_winograd", "small_cnn_winograd", "cifar_cnn", "resnet18", "mpnn"};
const std::vector<std::string> kNetworkObjectives = {"first", "second"};

class ModelNetwork : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  bool molecules() const { return GetParam()->name == "mpnn"; }
  std::int64_t channels() const { return GetParam()->name.starts_with("lenet") ? 1 : 3; }
  std::int64_t side() const { return GetParam()->name.starts_with("lenet") ? 28 : 32; }

  Head head() const { return molecules() ? Head{.outputs = 1, .loss = Loss::kSquaredError} : Head{.outputs = 3, .loss = Loss::kNll}; }
  RandomBatch batch() const {
    const std::vector<Head> heads(2, head());
    if (molecules()) return RandomMolecules(kNetworkSamples, heads, 5);
    return RandomBatch(kNetworkSamples, heads, static_cast<std::size_t>(channels() * side() * side()));
  }

  /// The batch as the inputs of the network.
  std::map<std::string, NetworkInterpreter::Tensor> inputs(const Batch& batch) const {
    const auto n = static_cast<std::int64_t>(batch.size);
    if (!molecules()) return {{"images", {{n, channels(), side(), side()}, {batch.inputs.begin(), batch.inputs.end()}}}};
    std::vector<double> nodes, edges, mask;
    for (std::size_t sample = 0; sample < batch.size; ++sample) {
      const float* molecule = batch.inputs.data() + sample * kMoleculeNumbers;
      for (std::size_t i = 0; i < kMaxAtoms; ++i) {
        const float* place = molecule + 1 + i * kAtomNumbers;
        nodes.insert(nodes.end(), place, place + kNodeFeatures);
        edges.insert(edges.end(), place + kNodeFeatures, place + kAtomNumbers);
        mask.push_back(static_cast<float>(i) < molecule[0] ? 1 : 0);
      }
    }
    const std::int64_t places = kMaxAtoms;
    return {{"nodes", {{n, places, kNodeFeatures}, nodes}},
            {"edges", {{n, places, places, kEdgeFeatures}, edges}},
            {"mask", {{n, places}, mask}}};
  }
};

TEST_P(ModelNetwork, HasTheModelsLosses) {
  const auto model = make_model(GetParam()->name, {head(), head()});
  std::vector<float> theta = initial_parameters(*model);
  // Other than the ones and zeros that some begin with.
  Random random({.seed = 4}, "noise");
  for (float& x : theta) x += static_cast<float>(0.01 * random.normal());
  const auto graph = model->network(kNetworkObjectives);
  EXPECT_TRUE(graph.has_value() || !kModelsWithNetworks.contains(GetParam()->name));
  if (!graph) return;
  const RandomBatch samples = batch();
  const Batch all = samples.view();
  const auto outputs = NetworkInterpreter(*graph, *model->layout(), theta).run(inputs(all));
  const std::size_t width = all.inputs.size() / all.size, classes = head().outputs;
  for (std::size_t n = 0; n < all.size; ++n) {
    std::vector<std::uint8_t> labels;
    std::vector<float> targets;
    for (std::size_t k = 0; k < 2; ++k) {
      if (molecules()) targets.push_back(all.targets[k * all.size + n]);
      if (!molecules()) labels.push_back(all.labels[k * all.size + n]);
    }
    std::vector<double> losses(2), scores(2);
    model->evaluate(theta, {.size = 1, .inputs = all.inputs.subspan(n * width, width), .labels = labels, .targets = targets}, losses,
                    scores);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto& found = outputs.at(kNetworkObjectives[k]);
      ASSERT_EQ(found.shape, (std::vector<std::int64_t>{kNetworkSamples, static_cast<std::int64_t>(classes)}));
      const std::span<const double> row = std::span(found.values).subspan(n * classes, classes);
      double loss = 0;
      if (molecules()) {
        loss = std::pow(row[0] - targets[k], 2);
      } else {
        for (const double output : row) loss += std::exp(output - row[labels[k]]);
        loss = std::log(loss);
      }
      EXPECT_NEAR(loss, losses[k], 1e-4 * std::max(1.0, losses[k])) << n << " " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ModelNetwork, testing::ValuesIn(models().entries()),
                         [](const auto& info) { return info.param->name + "_network"; });

TEST(NetworkGraph, NormalizesItsInputByChannel) {
  NetworkGraph graph;
  const std::string images = graph.input({"images", {2, 1, 1}});
  graph.output(relu_of(graph, graph.add("Flatten", {images})), {"values", {2}});
  const std::vector<double> mean = {0.5, -1}, std = {0.25, 2};
  graph.normalize_input(mean, std);
  const auto outputs = NetworkInterpreter(graph, Layout({}), {}).run({{"images", {{2, 2, 1, 1}, {1, 1, 0.25, 3}}}});
  EXPECT_THAT(outputs.at("values").values, testing::ElementsAre(2, 1, 0, 2));
}

TEST(NetworkGraph, RepeatsOneNumberForAllChannels) {
  const auto normalized = [](const std::vector<double>& mean, const std::vector<double>& std) {
    NetworkGraph graph;
    const std::string images = graph.input({"images", {3, 1, 2}});
    graph.output(graph.add("Flatten", {images}), {"values", {6}});
    graph.normalize_input(mean, std);
    for (const NetworkGraph::Constant& constant : graph.constants) {
      EXPECT_THAT(constant.shape, testing::ElementsAre(3, 1, 1));
      EXPECT_EQ(std::get<std::vector<float>>(constant.values).size(), 3U);
    }
    return NetworkInterpreter(graph, Layout({}), {}).run({{"images", {{1, 3, 1, 2}, {1, 2, 3, 4, 5, 6}}}}).at("values").values;
  };
  EXPECT_THAT(normalized({1, 2, 3}, {0.5}), testing::ElementsAre(0, 2, 2, 4, 4, 6));
  EXPECT_THAT(normalized({1}, {1, 2, 4}), testing::ElementsAre(0, 1, 1, 1.5, 1, 1.25));
  EXPECT_THAT(normalized({1}, {2}), testing::ElementsAre(0, 0.5, 1, 1.5, 2, 2.5));
}

}  // namespace
}  // namespace paretofl
