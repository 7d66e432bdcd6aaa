#pragma once

#include <string>
#include <string_view>

namespace paretofl {

/// The text of a file. "-" and "/dev/stdin" name standard input and "/dev/fd/N" an open descriptor, as a shell's <(..) does;
/// these may be pipes, other names only files. Throws Error, saying that it should hold `content`, if there is nothing to read.
std::string read_input(const std::string& name, std::string_view content);

}  // namespace paretofl
