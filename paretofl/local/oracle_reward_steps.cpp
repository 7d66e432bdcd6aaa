#include "paretofl/local/oracle_reward_steps.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"

namespace paretofl {

OracleRewardSteps::OracleRewardSteps(std::unique_ptr<GradientOracle> oracle, const std::vector<std::string>& names,
                                     std::vector<std::size_t> held)
    : oracle_(std::move(oracle)), held_(std::move(held)), rewards_(held_.size()) {
  for (const std::size_t k : held_) names_.push_back(names.at(k));
}

void OracleRewardSteps::start_round(StreamId stream) {
  draws_.emplace(stream, "train");
  std::fill(rewards_.begin(), rewards_.end(), 0.0);
  steps_ = 0;
}

double OracleRewardSteps::step(std::int64_t step, std::span<const float> theta, std::span<const double> weights, std::span<float> gradient,
                               std::span<double> hidden) {
  expect(draws_.has_value(), "local steps: expected a round to be started before step {}, found none", step);
  std::vector<double> losses(oracle_->num_objectives());
  std::vector<double> all_weights(losses.size());
  for (std::size_t i = 0; i < held_.size(); ++i) all_weights[held_[i]] = weights[i];
  if (hidden.empty()) {
    oracle_->weighted_gradient(theta, all_weights, {*draws_, step}, losses, gradient);
  } else {
    std::vector<float> rows(losses.size() * theta.size());
    oracle_->jacobian(theta, {*draws_, step}, losses, rows);
    const std::vector<float> combined = weighted_rows(rows, all_weights);
    std::copy(combined.begin(), combined.end(), gradient.begin());
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const auto row = std::span(rows).subspan(held_[i] * theta.size(), theta.size());
      std::copy(row.begin(), row.end(), hidden.subspan(i * theta.size()).begin());
    }
  }
  double loss = 0;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    loss += weights[i] * losses[held_[i]];
    rewards_[i] -= losses[held_[i]];
  }
  steps_ += 1;
  return loss;
}

std::map<std::string, std::vector<double>> OracleRewardSteps::figures() const {
  std::vector<double> means = rewards_;
  for (double& mean : means) mean /= steps_;
  return {{"reward", std::move(means)}};
}

std::vector<double> OracleRewardSteps::evaluate(std::span<const float>) const {
  throw Error("local models: expected a workload with questions to evaluate them on, found one with losses only");
}

}  // namespace paretofl
