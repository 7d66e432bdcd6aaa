#pragma once

#include <CLI/CLI.hpp>

namespace paretofl {

/// For CLI::Option::transform of every option that is an integer: takes decimal digits, with a sign or without, and nothing else.
/// Without it, CLI11 reads 010 as 8 and 0x10 as 16.
CLI::Validator whole_number();

/// For CLI::Option::check of every other option that is a number: refuses an empty text, as of a shell variable that is not set, which
/// CLI11 reads as 0.
CLI::Validator real_number();

}  // namespace paretofl
