#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "paretofl/report/run_data.h"

namespace paretofl {

/// A file to write: its name, without a folder, and its content.
struct NamedText {
  std::string name;
  std::string text;
};

/// The figure of every card of the runs' page, drawn by the page's own scripts: NAME.svg, a picture that needs nothing else, and NAME.csv,
/// the values that it shows. NAME is the card's title in lower case with hyphens. `reference` as for `page_data`.
std::vector<NamedText> page_figures(const std::vector<RunData>& runs, const std::vector<double>& reference = {});

/// Every table of the page as LaTeX with the package booktabs: NAME.tex.
std::vector<NamedText> page_tables(const std::vector<RunData>& runs, const std::vector<double>& reference = {});

/// Writes the files into the folder, which is made where it is missing; others that lie there stay. Throws Error if there are none, or if
/// the folder cannot be written to.
void write_texts(const std::vector<NamedText>& texts, const std::filesystem::path& folder);

}  // namespace paretofl
