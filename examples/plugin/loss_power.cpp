// A plugin: a weight solver of one's own, for `paretofl --plugin`. docs/recipes.md tells how to build and use it.
#include <algorithm>
#include <cmath>
#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/registry/plugin_interface.h"
#include "paretofl/solvers/weight_solver.h"

namespace {

/// Objective weights in proportion to the losses to some power: 0 weighs all alike, a large one the worst objective alone.
class LossPower : public paretofl::WeightSolver {
 public:
  struct Options {
    double power = 1;
    void describe(paretofl::OptionVisitor& visit) { visit.real("power", power, 0, 100, "power of the losses"); }
  };

  explicit LossPower(const Options& options) : options_(options) {}

  paretofl::WeightSolution solve(const paretofl::WeightProblem& problem) const override {
    paretofl::check(problem);
    paretofl::expect(!problem.losses.empty(), "loss_power: expected losses, found none");
    const double largest = *std::max_element(problem.losses.begin(), problem.losses.end());
    paretofl::WeightSolution solution;
    double sum = 0;
    for (const double loss : problem.losses) {
      paretofl::expect(loss >= 0 && largest > 0, "loss_power: expected losses of at least 0, one of them larger, found {}", loss);
      sum += solution.objective_weights.emplace_back(std::pow(loss / largest, options_.power));
    }
    for (double& weight : solution.objective_weights) weight /= sum;
    return solution;
  }

  // Losses may be unknown unless a solver says that it reads them, and noise may make them smaller than it can read; a preference is
  // refused if it changes nothing.
  paretofl::LossUse loss_use() const override { return {.smallest = 1e-6}; }
  bool reads_preference() const override { return false; }

 private:
  Options options_;
};

}  // namespace

PARETOFL_PLUGIN(parts) {
  parts.add(paretofl::solvers(), {{"loss_power", "in proportion to a power of the losses", "", paretofl::described<LossPower::Options>()},
                                  [](const paretofl::Settings& settings) {
                                    return std::make_unique<LossPower>(paretofl::read_options<LossPower::Options>(settings, "solver"));
                                  }});
}
