#include "paretofl/solvers/kl_preference.h"

#include <algorithm>
#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/optimization/linear_program.h"
#include "paretofl/optimization/simplex_projection.h"

namespace paretofl {
namespace {

/// r_k F_k, r scaled to mean 1.
std::vector<double> preferred_losses(const WeightProblem& problem, std::span<const double> preference) {
  std::vector<double> scaled;
  for (std::size_t k = 0; k < preference.size(); ++k) {
    expect(problem.losses[k] >= 0, "kl_preference: expected losses of at least 0, found {} for objective {}", problem.losses[k], k);
    scaled.push_back(preference[k] * problem.losses[k]);
  }
  return scaled;
}

std::vector<double> with_mean_one(std::span<const double> preference, std::size_t objectives) {
  if (preference.empty()) return std::vector<double>(objectives, 1);
  double sum = 0;
  for (const double r : preference) sum += r;
  std::vector<double> scaled(preference.begin(), preference.end());
  for (double& r : scaled) r *= static_cast<double>(objectives) / sum;
  return scaled;
}

/// G x.
std::vector<double> product(const Gramian& gramian, std::span<const double> x) {
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) result[i] += gramian(i, j) * x[j];
  }
  return result;
}

void project_above_floor(std::vector<double>& lambda, double floor) {
  const double rest = 1 - floor * static_cast<double>(lambda.size());
  if (rest <= 0) {
    std::fill(lambda.begin(), lambda.end(), 1 / static_cast<double>(lambda.size()));
    return;
  }
  std::vector<double> scratch(lambda.size());
  for (double& x : lambda) x = (x - floor) / rest;
  project_onto_simplex(lambda, scratch);
  for (double& x : lambda) x = floor + rest * x;
}

}  // namespace

void KlPreference::Options::describe(OptionVisitor& visit) {
  visit.real("epsilon", epsilon, 0, kInfinity, "lambda balances the preferred losses if their non-uniformity mu is larger than this");
  visit.real("weight_floor", weight_floor, 0, 1, "smallest weight, relative to 1/M; use 0 for fronts of preferences");
  visit.real("leader_fraction", leader_fraction, 0, 1,
             "objectives whose preferred loss is at least this share of the largest must not rise");
}

WeightSolution KlPreference::solve(const WeightProblem& problem) const {
  check(problem);
  const Gramian& gramian = problem.gramian;
  const std::size_t objectives = gramian.objectives();
  expect(problem.losses.size() == objectives, "kl_preference: expected {} losses, found {}", objectives, problem.losses.size());
  const std::vector<double> preference = with_mean_one(problem.preference, objectives);
  const std::vector<double> preferred = preferred_losses(problem, preference);
  double sum = 0;
  for (const double x : preferred) sum += x;

  std::vector<double> logs(objectives);  // log(M u_k)
  double mu = 0;
  for (std::size_t k = 0; k < objectives && sum > 0; ++k) {
    const double share = std::max(preferred[k] / sum, 1e-12);
    logs[k] = std::log(static_cast<double>(objectives) * share);
    mu += share * logs[k];
  }
  std::vector<double> adjustment(objectives);  // a
  for (std::size_t k = 0; k < objectives; ++k) adjustment[k] = preference[k] * (logs[k] - mu);
  const std::vector<double> aligned = product(gramian, adjustment);  // a^T g_k

  LinearProgram program;
  program.value = mu > options_.epsilon ? aligned : product(gramian, std::vector<double>(objectives, 1));
  const bool some_aligned = std::any_of(aligned.begin(), aligned.end(), [](double x) { return x > 0; });
  const double leader = options_.leader_fraction * *std::max_element(preferred.begin(), preferred.end());
  for (std::size_t k = 0; k < objectives; ++k) {
    const bool leads = preferred[k] >= leader;
    if (!leads && aligned[k] > 0) continue;
    std::vector<double> row(objectives);
    double largest = 0;
    for (std::size_t j = 0; j < objectives; ++j) largest = std::max(largest, std::abs(gramian(k, j)));
    if (largest == 0) continue;
    for (std::size_t j = 0; j < objectives; ++j) row[j] = gramian(k, j) / largest;
    program.rows.push_back(std::move(row));
    program.bounds.push_back(leads || !some_aligned ? 0 : aligned[k] / largest);
  }
  LinearProgramSolution best = paretofl::solve(program);
  project_above_floor(best.point, options_.weight_floor / static_cast<double>(objectives));
  return {std::move(best.point), std::min(best.violation, 1.0), best.iterations};
}

}  // namespace paretofl
