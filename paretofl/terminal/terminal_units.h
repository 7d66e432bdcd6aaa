#pragma once

#include <string>

namespace paretofl {

/// A number of bytes with a unit, such as "1.23 MB".
std::string terminal_bytes(double bytes);

/// Seconds, such as "12.3 s"; "-" where they are unknown.
std::string terminal_seconds(double seconds);

}  // namespace paretofl
