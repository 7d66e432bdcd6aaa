#pragma once

#include <exception>
#include <string>

namespace paretofl {

/// The message of an exception for people. Exceptions of the standard library (files, threads, memory) get the form of Error.
std::string explanation(const std::exception& failure);

}  // namespace paretofl
