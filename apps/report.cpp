#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/commands.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/objectives/point_file.h"
#include "paretofl/report/comparison.h"
#include "paretofl/report/front_csv.h"
#include "paretofl/report/html_report.h"
#include "paretofl/report/page_data.h"
#include "paretofl/report/page_export.h"
#include "paretofl/report/run_front.h"
#include "paretofl/terminal/color_choice.h"
#include "paretofl/terminal/terminal_fronts.h"
#include "paretofl/terminal/terminal_report.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

struct ReportArguments {
  std::vector<fs::path> folders;
  fs::path output;
  fs::path front_csv;
  fs::path figures;
  fs::path latex;
  std::optional<std::string> reference;
  bool terminal = false;
  bool fronts = false;
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

/// Throws Error where a file to write would replace one of another kind, such as a run's own records.
void check_kind(const char* option, const fs::path& file, std::initializer_list<const char*> extensions) {
  std::error_code error;
  const bool fits = std::find(extensions.begin(), extensions.end(), file.extension()) != extensions.end();
  expect(file.empty() || fits || !fs::is_regular_file(file, error), "{}: expected a new file, or one that ends in {}, found {}", option,
         fmt::join(extensions, " or "), file.string());
}

/// Throws Error, before anything is written, where the reference point does not fit the runs' objectives.
void check_reference(const std::vector<RunData>& runs, const std::vector<double>& reference) {
  for (const Comparison& comparison : compare(runs)) {
    if (comparison.objectives.size() > 1) run_fronts(comparison, comparison.metric, reference);
  }
}

/// Writes what `make` returns into the folder, where one was named, and prints that folder's path if `tell`.
template <class Make>
void write_exported(const fs::path& folder, const Make& make, bool tell) {
  if (folder.empty()) return;
  write_texts(make(), folder);
  if (tell) write_output_path(folder);
}

void report(const ReportArguments& arguments) {
  const int ways = (arguments.terminal ? 1 : 0) + (arguments.fronts ? 1 : 0) + (arguments.json ? 1 : 0);
  expect(ways <= 1, "report: expected one of --terminal, --fronts and --json, found several");
  check_kind("--output", arguments.output, {".html", ".htm"});
  check_kind("--front-csv", arguments.front_csv, {".csv"});
  std::vector<double> reference;
  if (arguments.reference) reference = parse_point(*arguments.reference, "--reference");
  const std::vector<RunData> runs = load_runs(arguments.folders);
  check_reference(runs, reference);
  const bool files = !arguments.front_csv.empty() || !arguments.figures.empty() || !arguments.latex.empty();
  const bool page = !arguments.output.empty() || (ways == 0 && !files);
  expect(!arguments.reference || ways > 0 || page || !arguments.figures.empty() || !arguments.latex.empty(),
         "report: expected --reference with --terminal, --fronts, --json or a page, found it with --front-csv alone");
  const TerminalOptions options{.color = output_takes_color(), .reference = reference};
  if (arguments.terminal) write_output("{}", terminal_report(runs, options));
  if (arguments.fronts) write_output("{}", terminal_fronts(runs, options));
  if (arguments.json) write_output("{}\n", json_text(comparison_data(runs, reference)));
  if (!arguments.front_csv.empty()) write_whole_file(arguments.front_csv, front_csv(runs));
  if (!arguments.front_csv.empty() && ways == 0) write_output_path(arguments.front_csv);
  write_exported(
      arguments.figures, [&] { return page_figures(runs, reference); }, ways == 0);
  write_exported(
      arguments.latex, [&] { return page_tables(runs, reference); }, ways == 0);
  if (!page) return;
  const fs::path output = arguments.output.empty() ? default_output(runs) : arguments.output;
  write_html_report(runs, output, reference);
  if (ways == 0) write_output_path(output);
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
  command->add_flag("--fronts", arguments->fronts,
                    "print each strategy's hypervolume and, of two objectives, a picture of the front; writes a page only with --output");
  command->add_option("--front-csv", arguments->front_csv, "CSV file to write: the runs on the Pareto front, one row each")
      ->type_name("FILE");
  command
      ->add_option("--reference", arguments->reference,
                   "reference point of the hypervolumes, one number per objective (default: the worst values)")
      ->type_name("POINT");
  command->add_option("--figures", arguments->figures, "folder to write the figure of every card of the page to, as NAME.svg and NAME.csv")
      ->type_name("OUT");
  command->add_option("--latex", arguments->latex, "folder to write every table of the page to, as NAME.tex with booktabs")
      ->type_name("OUT");
  command->add_flag("--json", arguments->json, "print the comparison as JSON; writes a page only with --output");
  command->footer(
      "Without --terminal, --fronts, --json, --front-csv, --figures or --latex, writes the page and prints its path.\n"
      "Runs that differ in nothing but the seed are one row. The page needs no network and no other file.\n\n"
      "Example: two runs; a sweep in the terminal; its fronts against a reference point; its figures for a script, and\n"
      "for a paper\n"
      "  paretofl report runs/demo/fedcmoo_pref runs/demo/fedavg --output comparison.html\n"
      "  paretofl report --terminal runs/sweep\n"
      "  paretofl report --fronts --reference 3,3 --front-csv front.csv runs/sweep\n"
      "  paretofl report --json runs/sweep\n"
      "  paretofl report --figures figures --latex tables runs/sweep");
  command->callback([arguments] { report(*arguments); });
}

}  // namespace paretofl
