#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/environments/environment.h"
#include "paretofl/environments/physical_state_json.h"

/// Initial states: whatever the text, a simulation starts there and moves, or refuses.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* id : {"mo-halfcheetah-v4", "mo-hopper-v4", "mo-reacher-v4", "mo-ant-v5", "mo-humanoid-v5", "deep-sea-treasure-v0"}) {
    try {
      const paretofl::PhysicalState state = paretofl::parse_physical_state(text, "fuzz");
      const auto environment = paretofl::make_environment(id);
      std::vector<double> observation(environment->spec().observation.size());
      std::vector<double> reward(environment->num_objectives());
      const std::vector<double> action(environment->spec().action.size(), 0);
      environment->reset({.seed = 1}, state, observation);
      for (int i = 0; i < 3; ++i) {
        if (environment->step(action, observation, reward).ended()) break;
      }
    } catch (const paretofl::Error&) {
      // Bad input is one clear error.
    }
  }
  return 0;
}
