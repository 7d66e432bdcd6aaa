#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/environments/action_list_json.h"
#include "paretofl/environments/environment.h"

/// Lists of actions: whatever the text, every environment plays it or refuses it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const paretofl::RegistryEntry* entry : paretofl::environments().entries()) {
    try {
      const auto environment = paretofl::make_environment(entry->name);
      std::vector<double> observation(environment->spec().observation.size());
      std::vector<double> reward(environment->num_objectives());
      environment->reset({.seed = 1}, observation);
      for (const double action : paretofl::parse_actions(text, "fuzz", environment->spec().action)) {
        environment->step({&action, 1}, observation, reward);
      }
    } catch (const paretofl::Error&) {
      // Bad input is one clear error.
    }
  }
  return 0;
}
