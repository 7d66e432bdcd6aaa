#pragma once

#include <functional>
#include <span>
#include <vector>

#include "paretofl/local/jacobian.h"
#include "paretofl/local/local_training.h"
#include "paretofl/local/objective_steps.h"
#include "paretofl/optimization/gramian.h"

namespace paretofl {

/// The result of local training on the gradients of all objectives; figures are means over the local steps.
struct ObjectiveTraining {
  LocalUpdate local;
  std::vector<double> lambda;          ///< [M]
  std::vector<double> gradient_norms;  ///< [M], over the part that forms the Gramian
  std::vector<double> step_lambda;     ///< [tau, M]: that of each local step
  std::vector<double> step_cosines;    ///< [tau, M (M - 1) / 2]: gradient_cosines() of each local step
  std::vector<float> last_rows;        ///< [M, d]: the gradients of the last local step
};

/// Sets lambda [M] of a local step from the Gramian of its gradients and its losses [M].
using LambdaRule = std::function<std::vector<double>(const Gramian& gramian, std::span<const double> losses)>;

/// The cosines of the angles between the gradients of objectives j < k, in the order (0, 1), (0, 2), .., (1, 2), ..: negative where the two
/// objectives conflict; 0 where a gradient is 0.
std::vector<double> gradient_cosines(const Gramian& gramian);

/// The losses and gradients of step 0 at theta [d].
SampledJacobian first_jacobian(ObjectiveSteps& steps, std::span<const float> theta);

/// Local steps along sum_k lambda_k grad f_k from `start` [d], lambda set anew at each of them. `first` is step 0's jacobian
/// at `start`; the round must have been started. With `with_heads` the heads take part in the Gramian.
ObjectiveTraining train_on_objectives(const LocalTrainingOptions& options, ObjectiveSteps& steps, std::span<const float> start,
                                      SampledJacobian first, bool with_heads, const LambdaRule& set_lambda);

}  // namespace paretofl
