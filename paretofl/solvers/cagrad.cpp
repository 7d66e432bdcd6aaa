#include "paretofl/solvers/cagrad.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/optimization/shifted_gramian.h"
#include "paretofl/optimization/unit_gramian.h"
#include "paretofl/solvers/shares.h"
#include "paretofl/solvers/simplex_qp.h"

namespace paretofl {
namespace {

constexpr double kSmallestC = 1e-12;  // below, d is g_0 to that accuracy
constexpr double kLogStep = 14;       // by which the search for a lower bound of t goes down
constexpr double kLogRange = 70;      // of t below its upper bound
constexpr double kAccuracy = 1e-13;   // of log t
constexpr int kMaxSteps = 100;

double norm_of_combination(const Gramian& gramian, const std::vector<double>& w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < w.size(); ++j) sum += w[i] * gramian(i, j) * w[j];
  }
  return std::sqrt(std::max(sum, 0.0));
}

/// What rounding leaves of the norm of a combination that cancels.
double rounding_error(const Gramian& gramian, const std::vector<double>& w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < w.size(); ++j) sum += std::abs(w[i] * gramian(i, j) * w[j]);
  }
  return std::sqrt(64 * static_cast<double>(w.size()) * std::numeric_limits<double>::epsilon() * sum);
}

/// The search for t, with the radius c ||g_0||.
class Search {
 public:
  Search(const Gramian& gramian, const std::vector<double>& p, double radius) : gramian_(gramian), p_(p), radius_(radius) {}

  /// Sets w for this t. Returns log(||g_w|| / (radius t)), which falls through 0 at the right t; far below 0 where ||g_w|| is
  /// lost in rounding.
  double excess(double log_t) {
    w_ = minimize_on_simplex(shifted_gramian(gramian_, p_, std::exp(log_t)));
    iterations_ += w_.iterations;
    const double norm = norm_of_combination(gramian_, w_.objective_weights);
    lost_ = norm <= rounding_error(gramian_, w_.objective_weights);
    return lost_ ? -kLogRange : std::log(norm / radius_) - log_t;
  }

  /// Leaves w at the right t and returns log t. Where ||g_w|| vanishes before t does, the answer is the limit of small t.
  double run() {
    double high = 1 - std::log(radius_);  // beyond ||g_w|| / radius, since ||g_w|| <= 1
    double high_excess = excess(high);
    const double lowest = high - kLogRange;
    double low = high - kLogStep;
    double low_excess = excess(low);
    while (low_excess <= 0 && !lost_ && low > lowest) {
      high = low;
      high_excess = low_excess;
      low -= kLogStep;
      low_excess = excess(low);
    }
    if (low_excess <= 0) {
      last_excess_ = lost_ ? 0 : low_excess;
      return low;
    }
    // Regula falsi with Illinois' rule: an end that stays twice in a row counts half.
    int side = 0;
    double log_t = low;
    for (int step = 0; high - low > kAccuracy && step < kMaxSteps; ++step) {
      log_t = low + (high - low) * std::clamp(low_excess / (low_excess - high_excess), 1e-3, 1 - 1e-3);
      last_excess_ = excess(log_t);
      if (last_excess_ > 0) {
        low = log_t;
        low_excess = last_excess_;
        if (side == 1) high_excess /= 2;
        side = 1;
      } else if (last_excess_ < 0) {
        high = log_t;
        high_excess = last_excess_;
        if (side == -1) low_excess /= 2;
        side = -1;
      } else {
        break;
      }
    }
    return log_t;
  }

  const WeightSolution& w() const { return w_; }
  int iterations() const { return iterations_; }
  /// Relative error of t.
  double error() const { return std::abs(std::tanh(last_excess_ / 2)); }

 private:
  const Gramian& gramian_;
  const std::vector<double>& p_;
  double radius_;
  WeightSolution w_;
  bool lost_ = false;  // whether ||g_w|| is lost in rounding
  double last_excess_ = 0;
  int iterations_ = 0;
};

}  // namespace

void CaGrad::Options::describe(OptionVisitor& visit) {
  visit.real("c", c, 0, 1e6, "radius around the mean gradient, relative to its norm; with values below 1 the mean loss still converges");
}

WeightSolution CaGrad::solve(const WeightProblem& problem) const {
  check(problem);
  const std::vector<double> p = preference_shares(problem);
  const UnitGramian units(problem.gramian);
  const Gramian all = units.gramian();
  const double mean_norm = norm_of_combination(all, p);
  // A mean that cancels leaves rounding errors of this size.
  const double noise = std::sqrt(static_cast<double>(p.size()) * std::numeric_limits<double>::epsilon());
  if (options_.c < kSmallestC || mean_norm <= noise) return {p};

  // No direction changes what a zero gradient gains, which would be the worst gain of all that the others can agree on.
  std::vector<std::size_t> living;
  std::vector<double> p_of_living;
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (units.norms[k] == 0) continue;
    living.push_back(k);
    p_of_living.push_back(p[k]);
  }
  Gramian gramian(living.size());
  for (std::size_t i = 0; i < living.size(); ++i) {
    for (std::size_t j = 0; j < living.size(); ++j) gramian(i, j) = all(living[i], living[j]);
  }
  Search search(gramian, p_of_living, options_.c * mean_norm);
  const double inverse = std::exp(-search.run());
  WeightSolution solution{p, std::max(search.w().kkt_residual, search.error()), search.iterations()};
  for (std::size_t i = 0; i < living.size(); ++i) solution.objective_weights[living[i]] += inverse * search.w().objective_weights[i];
  solution.objective_weights = shares(solution.objective_weights);
  return solution;
}

}  // namespace paretofl
