#include <cstddef>
#include <cstdint>
#include <string>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run_config.h"
#include "paretofl/sweeps/sweep_plan.h"

/// Configs and sweeps' plans: whatever the text, it is read or refused; what is read can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(readability-identifier-naming)
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const paretofl::Settings settings = paretofl::parse_config(text, "fuzz");
    if (paretofl::parse_config(paretofl::to_toml(settings), "again") != settings && text.find("nan") == std::string::npos) __builtin_trap();
    if (settings.tables.contains("run")) {
      const auto plan = paretofl::SweepPlan::from_settings(settings, "fuzz");
      const auto again = paretofl::SweepPlan::from_settings(plan.to_settings(), "again");
      if (!paretofl::difference(plan, again).empty()) __builtin_trap();
    } else {
      paretofl::resolve_config(settings);
    }
  } catch (const paretofl::Error&) {
    // Bad input is one clear error.
  }
  return 0;
}
