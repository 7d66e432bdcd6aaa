#pragma once

#include <string_view>

namespace paretofl {

/// Whether what stands right before or behind a number makes another number of it, a bound, or one that is not meant: twice 5,
/// 10% of 5, the square of 5, f(5), x + 5, 5 squared, one 5th, a factor of 5, is at least 5, > 5, 5 < x, 5 or more, rather than 5, 5 is
/// wrong, 5, but that is wrong. "He needs at least 5" gives the number; "it is at least 5" and "at least 5" alone do not.
bool is_changed_by_context(std::string_view before, std::string_view behind);

}  // namespace paretofl
