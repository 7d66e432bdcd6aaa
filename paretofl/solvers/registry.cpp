#include "paretofl/solvers/fixed.h"
#include "paretofl/solvers/kl_preference.h"
#include "paretofl/solvers/min_norm.h"
#include "paretofl/solvers/projected_gradient.h"
#include "paretofl/solvers/regularized_min_norm.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {
namespace {

using SolverRegistry = Registry<std::unique_ptr<WeightSolver>(const Settings&)>;

template <class Solver>
SolverRegistry::Entry entry(std::string name, std::string summary, std::string reference) {
  return {{std::move(name), std::move(summary), std::move(reference), described<typename Solver::Options>()},
          [](const Settings& settings) { return std::make_unique<Solver>(read_options<typename Solver::Options>(settings, "solver")); }};
}

}  // namespace

const SolverRegistry& solvers() {
  static const SolverRegistry kRegistry(
      "solver", {
                    entry<Fixed>("fixed", "constant objective weights", "linear scalarization"),
                    entry<MinNorm>("min_norm", "exact minimum-norm combination of the gradients", "MGDA (Desideri 2012)"),
                    entry<RegularizedMinNorm>("regularized_min_norm", "exact minimum norm with a uniform or a preference regularizer",
                                              "FIRM, eq. 2, 3 and 9; smoothing: Algorithm 2"),
                    entry<KlPreference>("kl_preference", "balances preferred losses by a linear program",
                                        "FedCMOO, Algorithms 4 and 8 (FindWeights-Pref)"),
                    entry<ProjectedGradient>("projected_gradient", "projected gradient steps from the previous weights",
                                             "FedCMOO, Algorithm 2 (FindWeights)"),
                });
  return kRegistry;
}

std::unique_ptr<WeightSolver> make_solver(const Component& component) { return solvers().at(component.name).make(component.settings); }

}  // namespace paretofl
