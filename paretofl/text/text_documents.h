#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// The documents of a plain text, which blank lines separate, without the line ends around them.
std::vector<std::string> text_documents(std::string_view text);

}  // namespace paretofl
