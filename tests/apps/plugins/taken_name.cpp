// Adds a solver under a name that is taken.
#include "paretofl/registry/plugin_interface.h"
#include "paretofl/solvers/weight_solver.h"

PARETOFL_PLUGIN(parts) { parts.add(paretofl::solvers(), paretofl::solvers().at("min_norm")); }
