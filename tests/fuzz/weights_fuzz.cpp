#include <cstddef>
#include <cstdint>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/solvers/weight_problem_json.h"
#include "paretofl/solvers/weight_solver.h"

/// Weight problems: whatever the text, it is solved or refused.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const auto problem = paretofl::parse_weight_problem(text, "fuzz");
    if (problem.gramian.objectives() > 16) return 0;
    for (const paretofl::RegistryEntry* solver : paretofl::solvers().entries()) {
      try {
        paretofl::make_solver({solver->name, {}})->solve(problem.problem());
      } catch (const paretofl::Error&) {
        // A solver may need what another does not.
      }
    }
  } catch (const paretofl::Error&) {
    // Bad input is one clear error.
  }
  return 0;
}
