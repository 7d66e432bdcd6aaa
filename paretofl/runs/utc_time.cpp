#include "paretofl/runs/utc_time.h"

#include <fmt/chrono.h>

namespace paretofl {

std::string utc_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace paretofl
