// Parts that break what every part promises: null pointers, weights that are too few, and an exception of no class.
#include <memory>

#include "paretofl/core/error.h"
#include "paretofl/registry/option_reader.h"
#include "paretofl/registry/plugin_interface.h"
#include "paretofl/rounds/strategy.h"
#include "paretofl/solvers/weight_solver.h"

namespace {

struct NoOptions {
  void describe(paretofl::OptionVisitor&) {}
};

class OneWeight : public paretofl::WeightSolver {
 public:
  paretofl::WeightSolution solve(const paretofl::WeightProblem&) const override { return {.objective_weights = {1}}; }
};

}  // namespace

PARETOFL_PLUGIN(parts) {
  const auto describe = paretofl::described<NoOptions>();
  parts.add(paretofl::solvers(), {{"null_solver", "is none", "", describe}, [](const paretofl::Settings&) { return nullptr; }});
  parts.add(paretofl::solvers(),
            {{"one_weight", "has too few", "", describe}, [](const paretofl::Settings&) { return std::make_unique<OneWeight>(); }});
  parts.add(paretofl::solvers(), {{"throws_seven", "throws", "", describe},
                                  [](const paretofl::Settings&) -> std::unique_ptr<paretofl::WeightSolver> { throw 7; }});
  parts.add(paretofl::strategies(), {{"half_strategy", "has no client half", "", describe},
                                     [](const paretofl::Settings&, const paretofl::Workload&) { return paretofl::Strategy{}; }});
}
