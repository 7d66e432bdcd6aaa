#pragma once

#include <exception>
#include <string>

namespace paretofl {

/// What an exception tells people. The standard library's own, of files, threads and memory, get the form that Error has.
std::string explanation(const std::exception& failure);

}  // namespace paretofl
