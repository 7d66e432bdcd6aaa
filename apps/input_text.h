#pragma once

#include <string>
#include <string_view>

namespace paretofl {

/// The text of a file, or of standard input where the name is "-". Throws Error, saying that it should hold `content`,
/// where the file cannot be read or is empty.
std::string read_input(const std::string& name, std::string_view content);

}  // namespace paretofl
