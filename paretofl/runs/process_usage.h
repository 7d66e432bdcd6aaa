#pragma once

#include <cstdint>

namespace paretofl {

/// CPU time that this process has used, on all of its threads.
double process_cpu_seconds();

/// The most memory that this process has held at once.
std::uint64_t peak_rss_bytes();

}  // namespace paretofl
