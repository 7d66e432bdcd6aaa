#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

struct TerminalOptions {
  std::size_t width = 80;              ///< characters per line, at least 60
  bool color = false;                  ///< ANSI colours for the rows' letters
  std::vector<double> reference = {};  ///< of the hypervolumes, see run_fronts
};

/// For every workload, a table of the final test results, one row per group of runs; with two objectives
/// and several points, a scatter plot of them with their Pareto front; and terminal_details. A run with a front of its own
/// (front_points.h) has one row in the table, with the figures of its model, and in the plot and the fronts all of its points.
std::string terminal_report(const std::vector<RunData>& runs, const TerminalOptions& options = {});

}  // namespace paretofl
