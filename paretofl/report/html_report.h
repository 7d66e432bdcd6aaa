#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// One HTML page over the runs that needs no other file and no network: Chart.js, styles and data are
/// inside, and a content security policy forbids the page to load anything. Equal runs give equal pages.
/// `reference` is that of the hypervolumes, see run_fronts. Throws Error where it does not fit.
std::string html_report(const std::vector<RunData>& runs, const std::vector<double>& reference = {});

/// Writes it to a file; throws Error where that fails.
void write_html_report(const std::vector<RunData>& runs, const std::filesystem::path& file, const std::vector<double>& reference = {});

/// The page that shows the runs of `paretofl serve`: the same, but it fetches its data from where it came from. Only scripts of this
/// `nonce` run in it.
std::string live_page(const std::string& nonce);

/// The text with &, <, >, and both quotes as entities.
std::string escape_html(std::string_view text);

/// JSON text that no HTML parser takes for the end of its <script>: <, > and & as \u escapes.
std::string escape_json_for_script(std::string_view json);

}  // namespace paretofl
