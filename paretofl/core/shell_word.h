#pragma once

#include <string>

namespace paretofl {

/// A text as one word of a shell's command line: as it is, or in quotes where a shell would read it otherwise.
std::string shell_word(const std::string& text);

}  // namespace paretofl
