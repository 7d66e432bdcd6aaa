#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paretofl {

/// The documents of a plain text, which blank lines separate, without the line ends around them. A line of white space alone is blank; line
/// ends of Windows become line feeds, and a byte order mark is left out.
std::vector<std::string> text_documents(std::string_view written);

}  // namespace paretofl
