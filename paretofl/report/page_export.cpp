#include "paretofl/report/page_export.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/report/javascript.h"
#include "paretofl/report/page_data.h"
#include "paretofl/report/page_files.h"

namespace paretofl {
namespace {

std::vector<NamedText> exported(const std::vector<RunData>& runs, const std::vector<double>& reference, std::string_view expression) {
  const nlohmann::json data = json_text(page_data(runs, reference)), style = std::string(page_css());
  const std::string document = fmt::format("document = paper({}, {});", json_text(style), json_text(data));
  const std::string last = fmt::format("JSON.stringify({})", expression);
  std::vector<NamedText> texts;
  for (const auto& file : nlohmann::json::parse(run_javascript({paper_js(), document, chart_js(), page_js(), last}))) {
    texts.push_back({file.at("name").get<std::string>(), file.at("text").get<std::string>()});
  }
  return texts;
}

}  // namespace

std::vector<NamedText> page_figures(const std::vector<RunData>& runs, const std::vector<double>& reference) {
  return exported(runs, reference, "figureFiles()");
}

std::vector<NamedText> page_tables(const std::vector<RunData>& runs, const std::vector<double>& reference) {
  return exported(runs, reference, "tableFiles()");
}

void write_texts(const std::vector<NamedText>& texts, const std::filesystem::path& folder) {
  expect(!texts.empty(), "report: expected runs with something to write, found none that has evaluated a round");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  expect(!error && std::filesystem::is_directory(folder), "report: expected a folder that can be written to, found {}: {}", folder.string(),
         error ? error.message() : "a file");
  for (const NamedText& file : texts) write_whole_file(folder / file.name, file.text);
}

}  // namespace paretofl
