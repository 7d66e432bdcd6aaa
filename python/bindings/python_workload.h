#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "paretofl/workloads/workload.h"

namespace paretofl::python {

/// A problem that Python code defines (python/paretofl/problem.py says what it must offer). Its oracles take the interpreter's lock for
/// every call; what the problem raises is an Error.
class PythonWorkload : public Workload {
 public:
  /// `problem` must outlive this object, which holds no reference. The caller holds the interpreter's lock.
  explicit PythonWorkload(nanobind::handle problem);

  int num_clients() const override { return num_clients_; }
  const std::vector<std::string>& objective_names() const override { return objectives_; }
  const std::shared_ptr<const Layout>& layout() const override { return layout_; }
  Parameters initial_parameters() const override;
  std::unique_ptr<GradientOracle> oracle(int client) const override;
  std::vector<double> objective_factors(int client) const override {
    return factors_.empty() ? std::vector<double>() : factors_.at(static_cast<std::size_t>(client));
  }
  Preference preference(int client) const override;
  Texts code() const override;
  /// The objectives, the clients and their data come with the problem.
  bool seed_changes_problem() const override { return false; }
  bool has_split(Split split) const override;
  Evaluation evaluate(std::span<const float> theta, Split split, ThreadPool& pool) const override;
  Evaluation evaluate_client(int client, std::span<const float> theta, Split split, ThreadPool& pool) const override;
  HeldOutFigures evaluate_held_out(int client, std::span<const float> theta, ThreadPool& pool) const override;

  double num_samples(int client) const { return num_samples_[static_cast<std::size_t>(client)]; }
  bool single_samples() const { return single_samples_; }
  nanobind::handle problem() const { return problem_; }
  /// [M] of a PartialOracle for each client; empty where every client has every objective.
  const std::vector<std::vector<double>>& factors() const { return factors_; }

 private:
  /// Of a model for all clients, or of one client's.
  Evaluation evaluation(std::span<const float> theta, Split split, std::optional<int> client) const;

  nanobind::handle problem_;
  int num_clients_ = 0;
  std::vector<std::string> objectives_;
  std::shared_ptr<const Layout> layout_;
  std::vector<double> num_samples_;           ///< per client
  std::vector<Preference> preferences_;       ///< per client
  std::vector<std::vector<double>> factors_;  ///< of a PartialOracle, per client; empty where every client has every objective
  bool single_samples_ = false;
  bool has_test_ = false;
  bool has_validation_ = false;
  bool has_held_out_ = false;
};

}  // namespace paretofl::python
