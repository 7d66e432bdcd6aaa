#pragma once

#include <chrono>
#include <string>

namespace paretofl {

/// A time in UTC as ISO 8601 writes it, in whole seconds: "2026-11-25T17:26:41Z".
std::string utc_text(std::chrono::system_clock::time_point time);

}  // namespace paretofl
