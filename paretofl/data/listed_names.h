#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// The names of a text with `separator` between them; none of an empty text. Throws Error, calling the text `what`, if a
/// name is empty.
std::vector<std::string> listed_names(std::string_view what, std::string_view text, char separator = ',');

}  // namespace paretofl
