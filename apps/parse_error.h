#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace paretofl {

/// What is wrong with a command line, as "<what>: expected ..., found ...". `app` is the one that could not parse it.
std::string parse_error_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace paretofl
