#pragma once

#include <string_view>

namespace paretofl {

/// Whether a comes before b where numbers within the texts count as numbers: "site 2" before "site 10". Texts that differ in leading zeros
/// alone are in the order of their bytes. A strict total order.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace paretofl
