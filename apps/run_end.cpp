#include "apps/run_end.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "paretofl/core/printable.h"
#include "paretofl/core/shell_word.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/files/input_file.h"
#include "paretofl/report/html_report.h"
#include "paretofl/terminal/final_figures.h"

namespace paretofl {

void end_run(const RunOutcome& outcome, const std::string& command, bool json) {
  constexpr std::size_t kRunWidth = 80;
  if (!outcome.leads) return;
  const RunData data = load_run(outcome.directory);
  const std::filesystem::path page = outcome.directory / "report.html";
  write_html_report({data}, page);
  const std::string directory = outcome.directory.string();
  if (outcome.signal != 0) {
    warn("stopped after round {}; continue with: {}paretofl {} --resume {}", outcome.rounds, outcome.launcher, command,
         shell_word(directory));
    throw CLI::RuntimeError(128 + outcome.signal);
  }
  if (json) {
    write_output_bytes(read_file(outcome.directory / "summary.json"));
  } else {
    write_message(fmt::format("{}report: {}\nnext: {}\n", final_figures(data, kRunWidth), printable(page.string()), next_command(data)));
    write_output_path(outcome.directory);
  }
}

}  // namespace paretofl
