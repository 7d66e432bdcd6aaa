#pragma once

#include <CLI/CLI.hpp>

namespace paretofl {

/// Adds --plugin FILE to the command and to each of its subcommands, and loads those of PARETOFL_PLUGINS before a subcommand runs.
void add_plugin_options(CLI::App& app);

}  // namespace paretofl
