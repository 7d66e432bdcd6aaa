#include "paretofl/workloads/molecule_regression.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/core/printable.h"
#include "paretofl/models/registry.h"
#include "paretofl/molecules/xyz_file.h"
#include "paretofl/parties/problem.h"
#include "paretofl/tables/number_table.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/scale_number.h"
#include "paretofl/workloads/sample_evaluation.h"
#include "paretofl/workloads/sample_oracle.h"

namespace paretofl {
namespace {

constexpr double kLargestTarget = 1e30;  // of a target, as in tables: its square is far from overflow, and float32 holds it

/// Throws Error for a target that is too large to be scaled.
void check_targets(const MoleculeDataset& dataset) {
  for (std::size_t m = 0; m < dataset.targets.size(); ++m) {
    for (std::size_t n = 0; n < dataset.molecules.size(); ++n) {
      const double value = dataset.targets[m][n];
      expect(std::abs(value) <= kLargestTarget, "workload: expected targets of at most {} in size, found {} as {} of {}", kLargestTarget,
             value, dataset.objectives[m].name, printable(dataset.molecules[n].name));
    }
  }
}

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
  visit.integer("batch_size", batch_size, 1, kMaxInt, "minibatch size; a client with fewer samples takes all");
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

namespace {

std::unique_ptr<Model> make_regressor(const std::string& model, std::size_t objectives) {
  return make_model(model, std::vector<Head>(objectives, {.outputs = 1, .loss = Loss::kSquaredError}));
}

std::filesystem::path molecules_file(const std::filesystem::path& folder, const std::string& stem) {
  return folder / (stem + "-molecules.xyz");
}
std::filesystem::path targets_file(const std::filesystem::path& folder, const std::string& stem) {
  return folder / (stem + "-targets.csv");
}

}  // namespace

MoleculeRegression::MoleculeRegression(const MoleculeRegressionOptions& options, MoleculeDataset dataset, std::uint64_t seed,
                                       const nlohmann::json* statistics)
    : options_(options), seed_(seed), benches_([this] { return make_regressor(options_.model, names_.size()); }) {
  const std::int64_t used = options.test_samples + options.validation_samples + options.clients * options.samples_per_client;
  expect(used <= static_cast<std::int64_t>(dataset.molecules.size()),
         "workload: expected test_samples + validation_samples + clients * samples_per_client of at most {} molecules, found {}",
         dataset.molecules.size(), used);
  check_targets(dataset);
  std::vector<std::uint32_t> dealt(dataset.molecules.size());
  std::iota(dealt.begin(), dealt.end(), 0U);
  Random({seed, 0, kServerStream}, "molecules").shuffle(std::span(dealt));
  dealt.resize(static_cast<std::size_t>(used));

  std::vector<Molecule> molecules;
  for (const std::uint32_t n : dealt) molecules.push_back(std::move(dataset.molecules[n]));
  std::vector<std::vector<double>> targets(dataset.objectives.size());
  for (std::size_t m = 0; m < targets.size(); ++m) {
    for (const std::uint32_t n : dealt) targets[m].push_back(dataset.targets[m][n]);
    names_.emplace_back(dataset.objectives[m].name);
    if (statistics != nullptr) continue;
    const Moments moments = moments_of(dataset.targets[m]);
    const auto [least, most] = std::minmax_element(dataset.targets[m].begin(), dataset.targets[m].end());
    expect(*least < *most && std::isnormal(moments.deviation),
           "workload: expected a target that varies, found {} the same for all molecules", dataset.objectives[m].name);
    means_.push_back(moments.mean);
    scales_.push_back(moments.deviation);
  }
  if (statistics != nullptr) take_scales(*statistics, "the statistics of the training data");
  test_ = {0, static_cast<std::size_t>(options.test_samples)};
  validation_ = {test_.end, test_.end + static_cast<std::size_t>(options.validation_samples)};
  take(std::move(molecules), std::move(targets));
}

MoleculeRegression::MoleculeRegression(const MoleculeRegressionOptions& options, ProblemPart party, std::uint64_t seed)
    : Workload(std::move(party)),
      options_(options),
      seed_(seed),
      benches_([this] { return make_regressor(options_.model, names_.size()); }) {
  const Problem problem = read_problem(part()->folder);
  names_ = problem.objectives;
  take_scales(problem.facts, part()->file(Problem::kFile).string() + ": facts");
  std::vector<Molecule> molecules;
  std::vector<std::vector<double>> targets(names_.size());
  const auto read = [&](const std::string& stem, bool required) -> Range {
    const std::size_t begin = molecules.size();
    const std::filesystem::path file = molecules_file(part()->folder, stem);
    const std::filesystem::path values = targets_file(part()->folder, stem);
    if (!required && !part()->has(file.filename().string()) && !part()->has(values.filename().string())) return {begin, begin};
    for (Molecule& molecule : read_xyz(file)) molecules.push_back(std::move(molecule));
    const std::vector<std::vector<double>> columns = read_number_table(values, names_);
    expect(columns[0].size() == molecules.size() - begin, "{}: expected a row for each of {} molecules, found {}", values.string(),
           molecules.size() - begin, columns[0].size());
    for (std::size_t m = 0; m < columns.size(); ++m) targets[m].insert(targets[m].end(), columns[m].begin(), columns[m].end());
    return {begin, molecules.size()};
  };
  test_ = read("test", part()->is_server());
  validation_ = read("validation", false);
  if (!part()->is_server()) {
    const Range train = read("train", true);
    expect(static_cast<std::int64_t>(train.size()) <= options.samples_per_client,
           "{}: expected at most {} molecules (workload.samples_per_client), found {}", molecules_file(part()->folder, "train").string(),
           options.samples_per_client, train.size());
  }
  take(std::move(molecules), std::move(targets));
}

void MoleculeRegression::take_scales(const nlohmann::json& facts, const std::string& where) {
  const JsonObject agreed(facts, where);
  for (const JsonObject& target : agreed.objects("targets")) {
    means_.push_back(target.real("mean"));
    scales_.push_back(target.real("deviation"));
    expect(std::abs(means_.back()) <= kLargestTarget, "{}: mean: expected a number of at most {} in size, found {}", target.where(),
           kLargestTarget, means_.back());
    expect(is_scale(scales_.back()), "{}: deviation: expected a positive number, neither denormal nor infinite, found {}", target.where(),
           scales_.back());
  }
  expect(scales_.size() == names_.size(), "{}: targets: expected one for each of {} objectives, found {}", where, names_.size(),
         scales_.size());
}

void MoleculeRegression::take(std::vector<Molecule> molecules, std::vector<std::vector<double>> targets) {
  stored_ = std::move(molecules);
  measured_ = std::move(targets);
  std::vector<MoleculeGraph> graphs;
  for (const Molecule& molecule : stored_) graphs.emplace_back(molecule, BondTable(molecule));
  std::vector<std::vector<float>> scaled(measured_.size());
  for (std::size_t m = 0; m < scaled.size(); ++m) {
    for (std::size_t n = 0; n < measured_[m].size(); ++n) {
      const double value = measured_[m][n];
      scaled[m].push_back(static_cast<float>((value - means_[m]) / scales_[m]));
      expect(std::isfinite(scaled[m].back()), "workload: expected targets that float32 holds when scaled, found {} as {} of {}", value,
             names_[m], printable(stored_[n].name));
    }
  }
  samples_.resize(stored_.size());
  std::iota(samples_.begin(), samples_.end(), 0U);
  molecules_ = std::make_unique<Molecules>(std::move(graphs), std::move(scaled));
  layout_ = BenchPool::Lease(benches_)->model->layout();
  expect_fitting_model(benches_, *molecules_, 0, "molecules", options_.model);
}

MoleculeRegression::~MoleculeRegression() = default;

Parameters MoleculeRegression::initial_parameters() const {
  Parameters parameters(layout_);
  BenchPool::Lease(benches_)->model->initialize(Random({seed_, 0, kServerStream}, "initial parameters"), parameters.values());
  return parameters;
}

Range MoleculeRegression::of_client(int client) const {
  if (part()) return {validation_.end, samples_.size()};
  const std::size_t size = static_cast<std::size_t>(options_.samples_per_client);
  const std::size_t begin = validation_.end + static_cast<std::size_t>(client) * size;
  return {begin, begin + size};
}

std::unique_ptr<GradientOracle> MoleculeRegression::oracle(int client) const {
  expect_client(client);
  return std::make_unique<SampleOracle>(benches_, *molecules_, part_of(of_client(client)), static_cast<std::size_t>(options_.batch_size));
}

nlohmann::json MoleculeRegression::facts() const {
  nlohmann::json targets = nlohmann::json::array();
  for (std::size_t m = 0; m < scales_.size(); ++m) targets.push_back({{"mean", means_[m]}, {"deviation", scales_[m]}});
  return {{"targets", targets}};
}

nlohmann::json MoleculeRegression::statistics() const { return facts(); }

void MoleculeRegression::write_part(std::optional<int> client, const std::filesystem::path& folder) const {
  const auto write = [&](const Range& range, const std::string& stem) {
    if (range.size() == 0) return;
    write_xyz(std::span(stored_).subspan(range.begin, range.size()), molecules_file(folder, stem));
    std::vector<std::vector<double>> targets;
    for (const std::vector<double>& values : measured_) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(range.begin);
      targets.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(range.size()));
    }
    write_number_table(names_, targets, targets_file(folder, stem));
  };
  if (client) return write(of_client(*client), "train");
  write(test_, "test");
  write(validation_, "validation");
}

Evaluation MoleculeRegression::evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const {
  const auto samples = part_of(held_out(split));
  SampleEvaluation found = evaluate_samples(benches_, *molecules_, samples, theta, pool);
  for (std::size_t m = 0; m < scales_.size(); ++m) found.scores[m] *= scales_[m];
  Evaluation result;
  result.per_objective = {{"loss", std::move(found.losses)}, {"mae", std::move(found.scores)}};
  return result;
}

HeldOutFigures MoleculeRegression::evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const {
  expect_client(client);
  HeldOutFigures figures;
  if (!part() || test_.size() == 0) return figures;
  for (const auto& [metric, means] : evaluate(theta, Split::kTest, pool).per_objective) {
    figures.add_means(metric, means, static_cast<double>(test_.size()));
  }
  return figures;
}

std::optional<NetworkGraph> MoleculeRegression::network() const { return BenchPool::Lease(benches_)->model->network(names_); }

std::map<std::string, std::vector<double>> MoleculeRegression::constant_predictor() const {
  if (part()) return {};
  const auto test = part_of(test_), train = part_of({validation_.end, samples_.size()});
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
