#pragma once

#include <string>

namespace paretofl {

/// Whether the objectives' figures of a metric, such as "accuracy", are usually in one unit. Returns and rewards are not:
/// treasure and time, a score and a length. Neither are mean absolute errors, which are in their targets' units. Figures
/// in different units have no mean.
bool has_shared_unit(const std::string& metric);

}  // namespace paretofl
