#include "paretofl/local/oracle_reward_steps.h"

#include <algorithm>

#include "paretofl/core/error.h"
#include "paretofl/local/jacobian.h"

namespace paretofl {

void OracleRewardSteps::start_round(StreamId stream) {
  draws_.emplace(stream, "train");
  std::fill(rewards_.begin(), rewards_.end(), 0.0);
  steps_ = 0;
}

double OracleRewardSteps::step(std::int64_t step, std::span<const float> theta, std::span<const double> weights, std::span<float> gradient,
                               std::span<double> hidden) {
  expect(draws_.has_value(), "local steps: expected a round to be started before step {}, found none", step);
  std::vector<double> losses(names_.size());
  if (hidden.empty()) {
    oracle_->weighted_gradient(theta, weights, {*draws_, step}, losses, gradient);
  } else {
    std::vector<float> rows(hidden.size());
    oracle_->jacobian(theta, {*draws_, step}, losses, rows);
    const std::vector<float> combined = weighted_rows(rows, weights);
    std::copy(combined.begin(), combined.end(), gradient.begin());
    std::copy(rows.begin(), rows.end(), hidden.begin());
  }
  double loss = 0;
  for (std::size_t k = 0; k < losses.size(); ++k) {
    loss += weights[k] * losses[k];
    rewards_[k] -= losses[k];
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
