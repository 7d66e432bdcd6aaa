#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// One HTML page over the runs that needs no other file and no network: Chart.js, styles and data are
/// inside, and a content security policy forbids the page to load anything. Equal runs give equal pages.
/// Throws Error if runs of one workload have different objectives.
std::string html_report(const std::vector<RunData>& runs);

/// Writes it to a file; throws Error if that fails.
void write_html_report(const std::vector<RunData>& runs, const std::filesystem::path& file);

/// The text with &, <, >, and both quotes as entities.
std::string escape_html(std::string_view text);

/// JSON text that no HTML parser takes for the end of its <script>: <, > and & as \u escapes.
std::string escape_json_for_script(std::string_view json);

}  // namespace paretofl
