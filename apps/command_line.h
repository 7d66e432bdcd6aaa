#pragma once

namespace paretofl {

/// The command `paretofl` with these arguments, the first of which is its name; returns the exit code. Prints errors instead of throwing.
int run_command_line(int argc, char** argv);

}  // namespace paretofl
