#pragma once

#include <CLI/CLI.hpp>

namespace paretofl {

/// For CLI::Option::transform of every option that is an integer: takes decimal digits, with a sign or without, and nothing else.
/// Without it, CLI11 reads 010 as 8 and 0x10 as 16.
CLI::Validator whole_number();

}  // namespace paretofl
