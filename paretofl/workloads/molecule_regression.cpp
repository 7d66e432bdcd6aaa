#include "paretofl/workloads/molecule_regression.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/models/registry.h"
#include "paretofl/workloads/sample_evaluation.h"
#include "paretofl/workloads/sample_oracle.h"

namespace paretofl {
namespace {

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments moments_of(const std::vector<double>& values) {
  Moments moments;
  for (const double x : values) moments.mean += x / static_cast<double>(values.size());
  for (const double x : values) moments.deviation += (x - moments.mean) * (x - moments.mean) / static_cast<double>(values.size());
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

}  // namespace

void MoleculeRegressionOptions::describe(OptionVisitor& visit) {
  visit.integer("clients", clients, 1, kMaxInt, "number of clients");
  visit.integer("samples_per_client", samples_per_client, 1, kMaxInt, "training molecules of each client");
  visit.integer("batch_size", batch_size, 1, kMaxInt, "minibatch size; at most samples_per_client is used");
  visit.integer("validation_samples", validation_samples, 0, kMaxInt, "molecules held out for validation");
  visit.integer("test_samples", test_samples, 1, kMaxInt, "molecules held out for testing");
  visit.text("model", model, "name of the model");
}

/// The molecules that are used, as the model sees them.
class MoleculeRegression::Molecules : public SampleSource {
 public:
  Molecules(std::vector<MoleculeGraph> graphs, std::vector<std::vector<float>> targets)
      : graphs_(std::move(graphs)), targets_(std::move(targets)) {}

  Batch load(std::span<const std::uint32_t> samples, const Draw*, Bench& bench) const override {
    bench.inputs.resize(samples.size() * kMoleculeNumbers);
    bench.targets.clear();
    for (std::size_t n = 0; n < samples.size(); ++n) {
      graphs_[samples[n]].write(std::span(bench.inputs).subspan(n * kMoleculeNumbers, kMoleculeNumbers));
    }
    for (const auto& of_objective : targets_) {
      for (const std::uint32_t sample : samples) bench.targets.push_back(of_objective[sample]);
    }
    return {.size = samples.size(), .inputs = bench.inputs, .labels = {}, .targets = bench.targets};
  }

  const std::vector<std::vector<float>>& targets() const { return targets_; }

 private:
  std::vector<MoleculeGraph> graphs_;        // [N]
  std::vector<std::vector<float>> targets_;  // [M][N], scaled
};

MoleculeRegression::MoleculeRegression(const MoleculeRegressionOptions& options, const MoleculeDataset& dataset, std::uint64_t seed)
    : options_(options), seed_(seed), benches_([model = options.model, objectives = dataset.objectives.size()] {
        return make_model(model, std::vector<Head>(objectives, {.outputs = 1, .loss = Loss::kSquaredError}));
      }) {
  const std::int64_t used = options.test_samples + options.validation_samples + options.clients * options.samples_per_client;
  expect(used <= static_cast<std::int64_t>(dataset.molecules.size()),
         "workload: expected test_samples + validation_samples + clients * samples_per_client of at most {} molecules, found {}",
         dataset.molecules.size(), used);
  std::vector<std::uint32_t> dealt(dataset.molecules.size());
  std::iota(dealt.begin(), dealt.end(), 0U);
  Random({seed, 0, kServerStream}, "molecules").shuffle(std::span(dealt));
  dealt.resize(static_cast<std::size_t>(used));

  std::vector<MoleculeGraph> graphs;
  for (const std::uint32_t n : dealt) graphs.emplace_back(dataset.molecules[n], BondTable(dataset.molecules[n]));
  std::vector<std::vector<float>> targets(dataset.objectives.size());
  for (std::size_t m = 0; m < targets.size(); ++m) {
    const Moments moments = moments_of(dataset.targets[m]);
    const auto [least, most] = std::minmax_element(dataset.targets[m].begin(), dataset.targets[m].end());
    expect(*least < *most, "workload: expected a target that varies, found {} the same for all molecules", dataset.objectives[m].name);
    for (const std::uint32_t n : dealt)
      targets[m].push_back(static_cast<float>((dataset.targets[m][n] - moments.mean) / moments.deviation));
    names_.emplace_back(dataset.objectives[m].name);
    scales_.push_back(moments.deviation);
  }
  samples_.resize(dealt.size());
  std::iota(samples_.begin(), samples_.end(), 0U);
  molecules_ = std::make_unique<Molecules>(std::move(graphs), std::move(targets));
  layout_ = BenchPool::Lease(benches_)->model->layout();
  expect_fitting_model(benches_, *molecules_, 0, "molecules", options_.model);
}

MoleculeRegression::~MoleculeRegression() = default;

Parameters MoleculeRegression::initial_parameters() const {
  Parameters parameters(layout_);
  BenchPool::Lease(benches_)->model->initialize(Random({seed_, 0, kServerStream}, "initial parameters"), parameters.values());
  return parameters;
}

std::span<const std::uint32_t> MoleculeRegression::part(std::int64_t begin, std::int64_t size) const {
  return std::span(samples_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
}

std::unique_ptr<GradientOracle> MoleculeRegression::oracle(int client) const {
  expect(client >= 0 && client < num_clients(), "workload: expected a client below {}, found {}", num_clients(), client);
  const std::int64_t begin = options_.test_samples + options_.validation_samples + client * options_.samples_per_client;
  return std::make_unique<SampleOracle>(benches_, *molecules_, part(begin, options_.samples_per_client),
                                        static_cast<std::size_t>(options_.batch_size));
}

Evaluation MoleculeRegression::evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const {
  const auto samples = split == Split::kTest ? part(0, options_.test_samples) : part(options_.test_samples, options_.validation_samples);
  SampleEvaluation found = evaluate_samples(benches_, *molecules_, samples, theta, pool);
  for (std::size_t m = 0; m < scales_.size(); ++m) found.scores[m] *= scales_[m];
  Evaluation result;
  result.per_objective = {{"loss", std::move(found.losses)}, {"mae", std::move(found.scores)}};
  return result;
}

std::optional<NetworkGraph> MoleculeRegression::network() const { return BenchPool::Lease(benches_)->model->network(names_); }

std::map<std::string, std::vector<double>> MoleculeRegression::constant_predictor() const {
  const std::int64_t held_out = options_.test_samples + options_.validation_samples;
  const auto test = part(0, options_.test_samples), train = part(held_out, options_.clients * options_.samples_per_client);
  std::vector<double> losses;
  for (const std::vector<float>& target : molecules_->targets()) {
    double mean = 0, loss = 0;
    for (const std::uint32_t n : train) mean += static_cast<double>(target[n]) / static_cast<double>(train.size());
    for (const std::uint32_t n : test) {
      const double error = static_cast<double>(target[n]) - mean;
      loss += error * error / static_cast<double>(test.size());
    }
    losses.push_back(loss);
  }
  return {{"loss", std::move(losses)}};
}

}  // namespace paretofl
