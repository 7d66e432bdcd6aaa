#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/solvers/aligned_mtl.h"
#include "paretofl/solvers/cagrad.h"
#include "paretofl/solvers/config.h"
#include "paretofl/solvers/cr_mogm.h"
#include "paretofl/solvers/dualproj.h"
#include "paretofl/solvers/fairgrad.h"
#include "paretofl/solvers/famo.h"
#include "paretofl/solvers/fixed.h"
#include "paretofl/solvers/imtl_g.h"
#include "paretofl/solvers/kl_preference.h"
#include "paretofl/solvers/linear.h"
#include "paretofl/solvers/min_norm.h"
#include "paretofl/solvers/moco.h"
#include "paretofl/solvers/modo.h"
#include "paretofl/solvers/nash_mtl.h"
#include "paretofl/solvers/pcgrad.h"
#include "paretofl/solvers/projected_gradient.h"
#include "paretofl/solvers/regularized_min_norm.h"
#include "paretofl/solvers/sdmgrad.h"
#include "paretofl/solvers/smooth_tchebycheff.h"
#include "paretofl/solvers/upgrad.h"
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

SolverRegistry& solvers() {
  static SolverRegistry registry(
      "solver",
      {
          entry<Fixed>("fixed", "constant objective weights", "linear scalarization"),
          entry<MinNorm>("min_norm", "exact minimum-norm combination of the gradients", "MGDA (Desideri 2012)"),
          entry<RegularizedMinNorm>("regularized_min_norm", "exact minimum norm with a uniform or a preference regularizer",
                                    "FIRM, eq. 2, 3 and 9; smoothing: Algorithm 2"),
          entry<KlPreference>("kl_preference", "balances preferred losses by a linear program",
                              "FedCMOO, Algorithms 4 and 8 (FindWeights-Pref)"),
          entry<ProjectedGradient>("projected_gradient", "projected gradient steps from the previous weights",
                                   "FedCMOO, Algorithm 2 (FindWeights)"),
          entry<Linear>("linear", "the preference, as it is or divided by the losses or the gradient norms", "linear scalarization"),
          entry<SmoothTchebycheff>("smooth_tchebycheff", "softmax of the losses by preference", "Lin et al. 2024, eq. 6"),
          entry<PcGrad>("pcgrad", "every gradient loses its conflicts with the others", "Yu et al. 2020, Algorithm 1"),
          entry<CaGrad>("cagrad", "best worst gain near the mean gradient", "Liu et al. 2021, Algorithm 1"),
          entry<SdmGrad>("sdmgrad", "minimum norm drawn towards the mean gradient", "Xiao et al. 2023, Algorithm 1"),
          entry<UpGrad>("upgrad", "mean of the gradients projected on their dual cone", "Quinton and Rey 2024, eq. 5"),
          entry<DualProj>("dualproj", "mean gradient projected on the dual cone", "Lopez-Paz and Ranzato 2017, eq. 11"),
          entry<NashMtl>("nash_mtl", "largest product of gains: G alpha = 1 / alpha", "Navon et al. 2022, Claim 3.1"),
          entry<FairGrad>("fairgrad", "alpha-fair gains: G w = w^(-1 / alpha)", "Ban and Ji 2024, eq. 5"),
          entry<ImtlG>("imtl_g", "equal projections on all gradients; weights may be negative", "Liu et al. 2021, eq. 4"),
          entry<ConFig>("config", "equal or preferred cosines with all gradients; weights may be negative",
                        "Liu, Chu and Thuerey 2024, eq. 2"),
          entry<AlignedMtl>("aligned_mtl", "gradients made orthogonal and equal; weights may be negative",
                            "Senushkin et al. 2023, Algorithm 1"),
          entry<MoCo>("moco", "one regularized projected step, for tracked gradients", "Fernando et al. 2023, Algorithm 1"),
          entry<MoDo>("modo", "one projected step on the gradients of two independent samples", "Chen et al. 2023 (MoDo)"),
          entry<Famo>("famo", "softmax weights adapted to the falls of the log losses", "Liu, Feng, Stone and Liu 2023, Algorithm 1"),
          entry<CrMogm>("cr_mogm", "another solver's weights, smoothed from step to step", "Zhou et al. 2022, Algorithm 1"),
      });
  return registry;
}

std::unique_ptr<WeightSolver> make_solver(const Component& component) { return solvers().at(component.name).make(component.settings); }

std::unique_ptr<WeightSolver> make_tried_solver(const Component& component, std::size_t objectives, std::span<const double> preference) {
  std::unique_ptr<WeightSolver> solver = make_solver(component);
  Gramian identity(objectives);
  for (std::size_t k = 0; k < objectives; ++k) identity(k, k) = 1;
  const std::vector<double> uniform(objectives, 1 / static_cast<double>(objectives));
  const WeightSolution tried = solver->solve({.gramian = identity, .losses = uniform, .previous = uniform, .preference = preference});
  const std::vector<double>& weights = tried.objective_weights;
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  expect(weights.size() == objectives && std::abs(sum - 1) < 1e-6,
         "solver {}: expected {} weights whose absolute values sum to 1, found {} that sum to {}", component.name, objectives,
         weights.size(), sum);
  return solver;
}

}  // namespace paretofl
