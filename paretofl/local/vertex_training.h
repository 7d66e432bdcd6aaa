#pragma once

#include <span>

#include "paretofl/local/local_training.h"
#include "paretofl/registry/options.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {

/// How a client trains the M vertices theta_k of models theta(r) = sum_k r_k theta_k (Dimitriadis et al. 2023, "Pareto Manifold Learning",
/// section 4).
struct VertexTrainingOptions {
  double concentration = 1;               ///< alpha of the Dirichlet distribution of the preferences r; 1: uniform on the simplex
  std::int64_t preferences_per_step = 1;  ///< W; all of them on the same minibatch
  double order_penalty = 0;               ///< factor of the multi-forward regularizer, the paper's lambda / W; needs W >= 2

  void describe(OptionVisitor& visit);
  /// How many gradients of a GradientOracle a local step takes at most, of which a jacobian counts as one.
  std::int64_t gradients_per_step() const { return preferences_per_step * (order_penalty > 0 ? 2 : 1); }
};

/// Gradient of the multi-forward regularizer R = sum_k log(1/|E_k| sum_{(v, w) in E_k} exp(max(0, L_wk - L_vk))) with respect to the losses
/// L [W, M] of the models at the preferences r [W, M], both row-major; E_k are the pairs with r_vk < r_wk. It is above its minimum, 0,
/// where a model that is to prefer objective k more has the larger loss of it (Dimitriadis et al. 2023, section 4.3). An objective without
/// pairs adds nothing. The authors' code compares neighbours in the order of r_k only, and leaves R out where lambda R exceeds the losses.
std::vector<double> order_penalty_slopes(std::span<const double> preferences, std::span<const double> losses, std::size_t objectives);

/// Local steps of the vertices from `start` [M, d]. At each step W preferences r are drawn from a symmetric Dirichlet distribution; for
/// each, lambda is r or, with a solver, what the solver makes of r, the losses and the Gramian at theta(r); g is the gradient of sum_k
/// lambda_k f_k at theta(r), and by the chain rule r_k g is that of vertex k. The step is taken along the mean over the preferences, where
/// the paper's total loss is the sum: rates are W times the paper's, and `order_penalty` is its lambda / W.
/// Minibatches come from `stream` as in train_locally, preferences from a substream of their own. The losses are those at the drawn
/// preferences. `solver` may be null. Throws as the oracle and the solver do.
LocalUpdate train_vertices(const LocalTrainingOptions& options, const VertexTrainingOptions& training, const GradientOracle& oracle,
                           std::span<const float> start, const WeightSolver* solver, const Random& stream);

}  // namespace paretofl
