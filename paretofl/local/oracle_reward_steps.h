#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "paretofl/local/gradient_oracle.h"
#include "paretofl/local/reward_steps.h"

namespace paretofl {

/// A client's objectives as rewards: r_k = -f_k, for clients whose gradients a GradientOracle knows. Step s takes minibatch s
/// of the round's stream. There is no hidden layer: a reward's own gradient is the one with respect to theta, H = d, as
/// hypergradient descent has it (FedMOA, eq. 7).
class OracleRewardSteps : public RewardSteps {
 public:
  /// `names` [M] are those of the oracle's objectives; the client has the rewards `held` of them, ascending.
  OracleRewardSteps(std::unique_ptr<GradientOracle> oracle, const std::vector<std::string>& names, std::vector<std::size_t> held);

  double num_samples() const override { return oracle_->num_samples(); }
  const std::string& task() const override { return task_; }
  const std::vector<std::string>& reward_names() const override { return names_; }
  const std::shared_ptr<const Layout>& layout() const override { return oracle_->layout(); }
  std::size_t hidden_size() const override { return layout()->size(); }

  void start_round(StreamId stream) override;
  /// Throws Error before the first round was started.
  double step(std::int64_t step, std::span<const float> theta, std::span<const double> weights, std::span<float> gradient,
              std::span<double> hidden) override;
  /// "reward" [K], the mean over the round's steps.
  std::map<std::string, std::vector<double>> figures() const override;
  bool has_evaluation() const override { return false; }
  /// Throws Error: there are no questions.
  std::vector<double> evaluate(std::span<const float> theta) const override;

 private:
  std::unique_ptr<GradientOracle> oracle_;
  std::string task_ = "objectives";
  std::vector<std::size_t> held_;   ///< [K]
  std::vector<std::string> names_;  ///< [K]
  std::optional<Random> draws_;     ///< of the round
  std::vector<double> rewards_;     ///< sums over the round's steps
  double steps_ = 0;
};

}  // namespace paretofl
