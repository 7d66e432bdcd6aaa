#pragma once

#include <string_view>
#include <vector>

namespace paretofl {

/// The words of a text: what stands between spaces, tabs and line ends.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace paretofl
