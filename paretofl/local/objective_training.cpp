#include "paretofl/local/objective_training.h"

#include <algorithm>
#include <cmath>

namespace paretofl {

std::vector<double> gradient_cosines(const Gramian& gramian) {
  std::vector<double> cosines;
  for (std::size_t j = 0; j < gramian.objectives(); ++j) {
    for (std::size_t k = j + 1; k < gramian.objectives(); ++k) {
      const double lengths = std::sqrt(gramian(j, j)) * std::sqrt(gramian(k, k));
      cosines.push_back(lengths > 0 ? std::clamp(gramian(j, k) / lengths, -1.0, 1.0) : 0);
    }
  }
  return cosines;
}

SampledJacobian first_jacobian(ObjectiveSteps& steps, std::span<const float> theta) {
  SampledJacobian sampled{std::vector<float>(steps.num_objectives() * theta.size()), std::vector<double>(steps.num_objectives())};
  steps.jacobian(0, theta, sampled.losses, sampled.rows);
  return sampled;
}

ObjectiveTraining train_on_objectives(const LocalTrainingOptions& options, ObjectiveSteps& steps, std::span<const float> start,
                                      SampledJacobian first, bool with_heads, const LambdaRule& set_lambda) {
  const std::size_t objectives = steps.num_objectives();
  const Range part = gramian_part(*steps.layout(), with_heads);
  const double share = 1 / static_cast<double>(options.local_steps);
  ObjectiveTraining result{{}, std::vector<double>(objectives), std::vector<double>(objectives), {}, {}, {}};
  std::vector<float>& rows = first.rows;
  result.local = train_locally(options, start, objectives, [&](std::int64_t step, auto at, auto losses, auto gradient) {
    if (step == 0) {
      std::copy(first.losses.begin(), first.losses.end(), losses.begin());
    } else {
      steps.jacobian(step, at, losses, rows);
    }
    const Gramian gramian = gramian_of_rows(columns(rows, objectives, part), objectives);
    const std::vector<double> lambda = set_lambda(gramian, losses);
    const std::vector<double> cosines = gradient_cosines(gramian);
    result.step_lambda.insert(result.step_lambda.end(), lambda.begin(), lambda.end());
    result.step_cosines.insert(result.step_cosines.end(), cosines.begin(), cosines.end());
    for (std::size_t k = 0; k < objectives; ++k) {
      result.lambda[k] += share * lambda[k];
      result.gradient_norms[k] += share * std::sqrt(gramian(k, k));
    }
    const std::vector<float> combined = weighted_rows(rows, lambda);
    std::copy(combined.begin(), combined.end(), gradient.begin());
    descend_in_heads(*steps.layout(), lambda, gradient);
  });
  result.last_rows = std::move(rows);
  return result;
}

}  // namespace paretofl
