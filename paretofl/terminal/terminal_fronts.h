#pragma once

#include <string>
#include <vector>

#include "paretofl/terminal/terminal_report.h"

namespace paretofl {

/// For every workload with two objectives or more, what each strategy's settings reach together: a table of the strategies with
/// the hypervolume of their fronts, and with two objectives a scatter plot of all rows' mean results. For people who
/// look for the trade-offs alone; terminal_report has everything else.
std::string terminal_fronts(const std::vector<RunData>& runs, const TerminalOptions& options = {});

}  // namespace paretofl
