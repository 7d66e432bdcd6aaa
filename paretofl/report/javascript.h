#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// Runs the scripts one after the other, in an engine that has the language alone: no files, no network, no clock of the page. Returns the
/// value of the last one as text, in UTF-8. Throws Error with what a script threw. At most 4 GB of memory are used.
std::string run_javascript(const std::vector<std::string_view>& scripts);

}  // namespace paretofl
