#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/report/html_report.h"
#include "paretofl/report/page_data.h"
#include "paretofl/report/terminal_report.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::vector<fs::path> folders;
  fs::path output;
  bool terminal = false;
  bool json = false;
};

/// In the run's folder for one run; for several, in the folder that holds them all, or else here.
fs::path default_output(const std::vector<RunData>& runs) {
  if (runs.size() == 1) return runs.front().folder / "report.html";
  const fs::path parent = fs::weakly_canonical(runs.front().folder).parent_path();
  for (const RunData& run : runs) {
    if (fs::weakly_canonical(run.folder).parent_path() != parent) return "report.html";
  }
  return runs.front().folder.parent_path() / "report.html";
}

void report(const ReportArguments& arguments) {
  expect(!arguments.terminal || !arguments.json, "report: expected either --terminal or --json, found both");
  const std::vector<RunData> runs = load_runs(arguments.folders);
  const bool page = !arguments.output.empty() || (!arguments.terminal && !arguments.json);
  if (arguments.terminal) write_output("{}", terminal_report(runs, {.color = isatty(STDOUT_FILENO) != 0}));
  if (arguments.json) write_output("{}\n", json_text(comparison_data(runs)));
  if (!page) return;
  const fs::path output = arguments.output.empty() ? default_output(runs) : arguments.output;
  write_html_report(runs, output);
  if (!arguments.terminal && !arguments.json) write_output_path(output);
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* command = app.add_subcommand("report", "Compare runs: one HTML page, or tables in the terminal");
  const auto arguments = std::make_shared<ReportArguments>();
  command->add_option("DIR", arguments->folders, "run directories, or folders that contain some, such as that of a sweep")
      ->required()
      ->type_name("");
  command
      ->add_option("--output", arguments->output,
                   "HTML file to write (default: DIR/report.html for one run; for several, report.html beside them)")
      ->type_name("FILE");
  command->add_flag("--terminal", arguments->terminal, "print tables, curves and the Pareto front; writes a page only with --output");
  command->add_flag("--json", arguments->json, "print the comparison as JSON; writes a page only with --output");
  command->footer(
      "Runs that differ only in the seed share one row. The page needs no network and no other file.\n\n"
      "Example: two runs, then a sweep in the terminal, then its figures for a script\n"
      "  paretofl report runs/demo/fedcmoo runs/demo/fsmgda --output comparison.html\n"
      "  paretofl report --terminal runs/sweep\n"
      "  paretofl report --json runs/sweep");
  command->callback([arguments] { report(*arguments); });
}

}  // namespace paretofl
