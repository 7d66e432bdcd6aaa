#include "paretofl/solvers/regularized_min_norm.h"

#include "paretofl/core/error.h"
#include "paretofl/solvers/simplex_qp.h"

namespace paretofl {

void RegularizedMinNorm::Options::describe(OptionVisitor& visit) {
  visit.boolean("trace_normalization", trace_normalization, "divide G by tr(G) / M first (eq. 9)");
  visit.real("beta", beta, 0, kInfinity, "strength of the uniform regularizer beta / 2 I; not used if there is a preference");
  visit.reals("preference", preference, 0, kInfinity,
              "p of the regularizer Diag(1 / p) (eq. 3), one positive number per objective; empty: the uniform regularizer");
  visit.choice("smoothing", smoothing, {"off", "constant", "harmonic"},
               "eta_t of lambda_t = (1 - eta_t) lambda_{t-1} + eta_t lambda*; off: 1; constant: smoothing_rate; harmonic: 1 / t");
  visit.real("smoothing_rate", smoothing_rate, 0, 1, "eta of constant smoothing");
}

RegularizedMinNorm::RegularizedMinNorm(Options options) : options_(std::move(options)) {
  for (const double value : options_.preference) {
    expect(value > 0, "regularized_min_norm: expected a preference of positive values, found {}", value);
  }
}

WeightSolution RegularizedMinNorm::solve(const WeightProblem& problem) const {
  WeightProblem preferred = problem;
  if (!options_.preference.empty()) {
    expect(problem.preference.empty(), "regularized_min_norm: expected one preference, found one in the options and one in the problem");
    preferred.preference = options_.preference;
  }
  check(preferred);
  WeightSolution solution = minimize(preferred);
  smooth(problem, solution.objective_weights);
  return solution;
}

WeightSolution RegularizedMinNorm::minimize(const WeightProblem& problem) const {
  const std::size_t objectives = problem.gramian.objectives();
  Gramian q = problem.gramian;
  if (options_.trace_normalization) {
    double mean = 0;
    for (std::size_t i = 0; i < objectives; ++i) mean += q(i, i) / static_cast<double>(objectives);
    if (mean <= 0) return {std::vector<double>(objectives, 1 / static_cast<double>(objectives))};
    for (std::size_t i = 0; i < objectives; ++i) {
      for (std::size_t j = 0; j < objectives; ++j) q(i, j) /= mean;
    }
  }
  for (std::size_t i = 0; i < objectives; ++i) q(i, i) += problem.preference.empty() ? options_.beta / 2 : 1 / problem.preference[i];
  q.check();
  return minimize_on_simplex(q);
}

void RegularizedMinNorm::smooth(const WeightProblem& problem, std::vector<double>& objective_weights) const {
  if (options_.smoothing == "off") return;
  if (problem.previous.empty()) {
    expect(problem.step == 1, "regularized_min_norm: expected previous objective weights to smooth with at step {}, found none",
           problem.step);
    return;
  }
  check_previous_on_simplex(problem);
  const double rate = options_.smoothing == "constant" ? options_.smoothing_rate : 1 / static_cast<double>(problem.step);
  for (std::size_t i = 0; i < objective_weights.size(); ++i) {
    objective_weights[i] = (1 - rate) * problem.previous[i] + rate * objective_weights[i];
  }
}

}  // namespace paretofl
