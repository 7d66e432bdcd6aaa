#include "paretofl/local/reward_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/optimization/simplex_projection.h"

namespace paretofl {
namespace {

double norm_of(std::span<const double> row) { return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0)); }

}  // namespace

RewardWeights::RewardWeights(std::vector<double> weights, double rate, HypergradientKind kind)
    : weights_(std::move(weights)), rate_(rate), kind_(kind), sums_(weights_.size()), scratch_(weights_.size()) {
  double sum = 0;
  for (const double w : weights_) {
    expect(w >= 0, "reward weights: expected numbers of at least 0, found {}", w);
    sum += w;
  }
  expect(std::abs(sum - 1) < 1e-6, "reward weights: expected numbers that sum to 1, found {}", sum);
}

void RewardWeights::observe(std::span<const double> gradients) {
  expect(before_.empty() || before_.size() == gradients.size(), "reward weights: expected gradients of {} numbers, found {}",
         before_.size(), gradients.size());
  for (const double g : gradients) expect(std::isfinite(g), "reward weights: expected finite gradients, found {}", g);
  if (!before_.empty()) {
    const std::size_t width = gradients.size() / weights_.size();
    for (std::size_t k = 0; k < weights_.size(); ++k) {
      const auto row = gradients.subspan(k * width, width);
      const auto before = std::span(before_).subspan(k * width, width);
      double delta = std::inner_product(row.begin(), row.end(), before.begin(), 0.0);
      if (kind_ == HypergradientKind::kCosine) {
        const double norms = norm_of(row) * norm_of(before);
        delta = norms > 0 ? std::clamp(delta / norms, -1.0, 1.0) : 0;
      }
      weights_[k] += rate_ * delta;
      sums_[k] += delta;
    }
    steps_ += 1;
    project_onto_simplex(weights_, scratch_);
  }
  before_.assign(gradients.begin(), gradients.end());
}

std::vector<double> RewardWeights::mean_hypergradients() const {
  std::vector<double> means = sums_;
  for (double& mean : means) mean /= std::max(steps_, 1.0);
  return means;
}

}  // namespace paretofl
