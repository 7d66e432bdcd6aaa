#pragma once

#include <string>

#include "paretofl/runs/run.h"

namespace paretofl {

/// Writes the report of a run that has ended or was stopped, and tells of it as every command that runs does. `command` goes on with a
/// stopped one by --resume. Throws CLI::RuntimeError where a signal stopped it.
void end_run(const RunOutcome& outcome, const std::string& command, bool json);

}  // namespace paretofl
