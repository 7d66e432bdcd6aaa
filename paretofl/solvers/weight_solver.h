#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "paretofl/core/summation.h"
#include "paretofl/optimization/gramian.h"
#include "paretofl/registry/registry.h"

namespace paretofl {

/// What a solver may use to set the objective weights of M objectives. Spans are [M] unless they say otherwise, or empty
/// where unknown.
struct WeightProblem {
  const Gramian& gramian;
  std::span<const double> losses = {};    ///< current objective values
  std::span<const double> previous = {};  ///< lambda of the round or step before
  /// The losses that `previous` was set from.
  std::span<const double> previous_losses = {};
  /// [M, M], row-major: entry (k, l) is the product of objective k's gradient on one sample and objective l's on an independent one. It is
  /// an unbiased estimate of the exact Gramian and need not be symmetric.
  std::span<const double> two_sample_products = {};
  std::span<const double> preference = {};  ///< positive, any scale
  std::int64_t step = 1;                    ///< t >= 1: the round (abandoned ones count), or a client's local step over all rounds
};

/// Throws Error unless the Gramian passes its check, every span given has its M or M^2 finite values, the absolute values
/// of `previous` sum to 1 within 1e-6, the preference is positive, and the step is at least 1.
void check(const WeightProblem& problem);

/// Throws Error if `previous` has a negative weight: for methods that continue from it on the simplex.
void check_previous_on_simplex(const WeightProblem& problem);

struct WeightSolution {
  std::vector<double> objective_weights;  ///< lambda [M], as WeightSolver promises
  double kkt_residual = 0;                ///< of the solver's own problem, in [0, 1]; 0 if it solves none
  int iterations = 0;
};

/// Sets objective weights lambda from a Gramian: ACROSS OBJECTIVES, never across clients. Stateless
/// (what a method remembers comes in as `previous`) and safe to share between threads.
///
/// lambda says in which direction sum_k lambda_k grad f_k to go, and not how far: whatever length a paper
/// gives its direction, the absolute values of lambda sum to 1 and the length is the learning rate's. lambda is
/// on the simplex except with the methods whose own equation asks for negative weights, which say so: imtl_g,
/// config, aligned_mtl.
class WeightSolver {
 public:
  virtual ~WeightSolver() = default;
  /// Throws Error if the problem fails its check or a span the method needs is missing.
  virtual WeightSolution solve(const WeightProblem& problem) const = 0;
  /// Whether solve() reads the losses, and which are too small for it; where it does not, they may be unknown.
  virtual LossUse loss_use() const { return {.needed = false}; }
  /// Whether a preference can change the weights. If it cannot, a caller that has a preference refuses the solver.
  virtual bool reads_preference() const { return true; }
  /// Whether the method needs the losses that `previous` was set from. If so, the caller keeps them and gives them as `previous_losses`.
  virtual bool reads_previous_losses() const { return false; }
  /// Whether the weights depend on `previous`. A caller that keeps none refuses the solver.
  virtual bool reads_previous() const { return false; }
  /// Whether the scale of the Gramian matters, as it does to a step size or a regularizer in its units. A caller whose Gramian is not one
  /// of gradients, but of updates, gives it in the units of gradients then.
  virtual bool reads_scale() const { return false; }
  /// Whether the method is made for gradients of two independent samples. If so, the caller gives `two_sample_products` or refuses the
  /// solver (check_one_sample).
  virtual bool reads_two_samples() const { return false; }
};

/// Throws Error naming `strategy`, which gives solvers the gradients of one sample only, if this one is made for two.
void check_one_sample(const char* strategy, const WeightSolver& solver);

/// Every solver by name.
Registry<std::unique_ptr<WeightSolver>(const Settings&)>& solvers();

/// The solver a config asks for.
std::unique_ptr<WeightSolver> make_solver(const Component& component);
/// The same, tried on a first problem of M objectives: options that don't fit it or the preference are an Error now, and not in
/// a round.
std::unique_ptr<WeightSolver> make_tried_solver(const Component& component, std::size_t objectives,
                                                std::span<const double> preference = {});

}  // namespace paretofl
