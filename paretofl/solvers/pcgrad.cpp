#include "paretofl/solvers/pcgrad.h"

#include "paretofl/optimization/unit_gramian.h"
#include "paretofl/solvers/shares.h"

namespace paretofl {
namespace {

// Adds to `added` [M] what the unit gradient i gains along the others, in the cyclic order from i + first.
void operate(const Gramian& cosines, std::size_t i, std::size_t first, double scale, std::vector<double>& added) {
  const std::size_t objectives = cosines.objectives();
  std::vector<double> products(objectives);  // of the gradient as it is with every unit gradient
  for (std::size_t j = 0; j < objectives; ++j) products[j] = cosines(i, j);
  for (std::size_t turn = 0; turn + 1 < objectives; ++turn) {
    const std::size_t j = (i + 1 + (first + turn) % (objectives - 1)) % objectives;
    if (products[j] >= 0) continue;
    const double gain = -products[j];
    for (std::size_t k = 0; k < objectives; ++k) products[k] += gain * cosines(j, k);
    added[j] += scale * gain;
  }
}

}  // namespace

WeightSolution PcGrad::solve(const WeightProblem& problem) const {
  check(problem);
  const std::size_t objectives = problem.gramian.objectives();
  const UnitGramian units(problem.gramian);
  std::vector<double> added(objectives);
  for (std::size_t i = 0; i < objectives; ++i) {
    for (std::size_t first = 0; first + 1 < objectives; ++first) {
      operate(units.cosines, i, first, units.norms[i] / static_cast<double>(objectives - 1), added);
    }
  }
  std::vector<double> alpha = units.along_gradients(added);
  for (double& value : alpha) value += 1;
  return {shares(alpha)};
}

}  // namespace paretofl
