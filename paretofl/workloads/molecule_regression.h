#pragma once

#include "paretofl/molecules/molecule_dataset.h"
#include "paretofl/molecules/molecule_graph.h"
#include "paretofl/workloads/bench_pool.h"
#include "paretofl/workloads/workload.h"

namespace paretofl {

/// Options that all molecule workloads share; defaults are those of FedCMOO's QM9 experiment.
struct MoleculeRegressionOptions {
  std::int64_t clients = 20;
  std::int64_t samples_per_client = 2000;
  std::int64_t batch_size = 128;
  std::int64_t validation_samples = 10000;
  std::int64_t test_samples = 10000;
  std::string model = "mpnn";

  void describe(OptionVisitor& visit);
};

/// Regression of molecules' properties, one objective per property: the squared error of targets scaled to mean zero
/// and variance one over the whole data set. The molecules are shuffled and dealt out: test, validation, then clients,
/// each with the same number and none twice. Minibatches are those of SampleOracle.
class MoleculeRegression : public Workload {
 public:
  /// With the statistics() of other molecules, targets are scaled by these. Throws Error if the options ask for more molecules than there
  /// are, and where a target does not vary.
  MoleculeRegression(const MoleculeRegressionOptions& options, MoleculeDataset dataset, std::uint64_t seed,
                     const nlohmann::json* statistics = nullptr);
  /// The molecules of a party's folder. Throws Error, naming the file, for what is missing, damaged or does not fit problem.json.
  MoleculeRegression(const MoleculeRegressionOptions& options, ProblemPart part, std::uint64_t seed);
  ~MoleculeRegression() override;

  int num_clients() const override { return static_cast<int>(options_.clients); }
  const std::vector<std::string>& objective_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override;
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  bool has_local_losses() const override { return true; }
  bool has_split(Split split) const override { return held_out(split).size() > 0; }
  /// "targets" [M]: {"mean", "deviation"} over the whole data set, by which targets are scaled.
  nlohmann::json facts() const override;
  nlohmann::json statistics() const override;  ///< facts()
  /// train-molecules.xyz and train-targets.csv of a client; the same of test and, where there are any, validation for the server.
  void write_part(std::optional<int> client, const std::filesystem::path& folder) const override;
  /// "loss", the mean squared error of the scaled targets, and "mae", the mean absolute error in the targets' units:
  /// each [M].
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  /// The same on a client's own test molecules, which only a folder can have.
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;
  /// From molecules as the model takes them to the scaled targets, by their names.
  std::optional<NetworkGraph> network() const override;
  /// "loss" [M] of the training molecules' mean. No part has it, since it takes the molecules of all clients.
  std::map<std::string, std::vector<double>> constant_predictor() const override;

 private:
  class Molecules;

  /// Takes the scales of the targets that facts() tells. Throws Error, calling the JSON `where`, unless it has one for each objective.
  void take_scales(const nlohmann::json& facts, const std::string& where);
  /// Takes the molecules with their targets [M][N] in their units, scales these and makes the model.
  void take(std::vector<Molecule> molecules, std::vector<std::vector<double>> targets);
  const Range& held_out(Split split) const { return split == Split::kTest ? test_ : validation_; }
  /// The molecules that a client trains on.
  Range of_client(int client) const;
  std::span<const std::uint32_t> part_of(const Range& range) const { return std::span(samples_).subspan(range.begin, range.size()); }

  MoleculeRegressionOptions options_;
  std::uint64_t seed_;
  std::vector<std::string> names_;
  std::vector<double> means_;                  ///< [M] of the targets
  std::vector<double> scales_;                 ///< [M] their standard deviations
  std::vector<Molecule> stored_;               ///< in the order they were dealt out: test, validation, then the clients'
  std::vector<std::vector<double>> measured_;  ///< [M][N] their targets in their units
  Range test_;
  Range validation_;
  std::vector<std::uint32_t> samples_;  ///< 0, 1, ...
  std::unique_ptr<const Molecules> molecules_;
  mutable BenchPool benches_;
  std::shared_ptr<const Layout> layout_;
};

}  // namespace paretofl
