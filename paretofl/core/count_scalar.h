#pragma once

#include <cstdint>
#include <string_view>

#include "paretofl/core/record.h"

namespace paretofl {

/// The named scalar of a saved state as a non-negative whole number; throws Error unless it is a whole number from 0 to 2^53.
std::int64_t count_scalar(const Record& record, std::string_view name);

}  // namespace paretofl
