#include "paretofl/report/html_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/files/whole_file.h"
#include "paretofl/report/page_data.h"
#include "paretofl/report/page_files.h"

namespace paretofl {
namespace {

std::string replace_characters(std::string_view text, const std::map<char, std::string_view>& replacements) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto found = replacements.find(c);
    if (found == replacements.end()) {
      result += c;
    } else {
      result += found->second;
    }
  }
  return result;
}

/// The template with every {{name}} replaced once; what is put in is not looked at again.
std::string fill(std::string_view page, const std::map<std::string_view, std::string>& values) {
  std::string result;
  while (true) {
    const std::size_t begin = page.find("{{");
    result += page.substr(0, begin);
    if (begin == std::string_view::npos) return result;
    const std::size_t end = page.find("}}", begin);
    result += values.at(page.substr(begin + 2, end - begin - 2));
    page.remove_prefix(end + 2);
  }
}

/// What differs between pages.
struct PageParts {
  std::string title;
  std::string policy;  ///< what the page may load
  std::string origin;  ///< HTML
  std::string data;    ///< JSON
  std::string nonce = {};
  std::string live = {};  ///< HTML
};

std::string page(const PageParts& parts) {
  return fill(page_html(), {{"title", escape_html(printable(parts.title))},
                            {"policy", parts.policy},
                            {"origin", parts.origin},
                            {"css", std::string(page_css())},
                            {"data", escape_json_for_script(parts.data)},
                            {"nonce", parts.nonce},
                            {"live", parts.live},
                            {"chart_js", std::string(chart_js())},
                            {"page_js", std::string(page_js())}});
}

}  // namespace

std::string escape_html(std::string_view text) {
  return replace_characters(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string escape_json_for_script(std::string_view json) {
  return replace_characters(json, {{'&', "\\u0026"}, {'<', "\\u003c"}, {'>', "\\u003e"}});
}

std::string html_report(const std::vector<RunData>& runs, const std::vector<double>& reference) {
  const nlohmann::json data = page_data(runs, reference);
  return page({.title = data.at("title").get<std::string>(),
               .policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:",
               .origin = "Written by <code>paretofl report</code>. Everything shown is in this file; it loads nothing.",
               .data = json_text(data)});
}

std::string live_page(const std::string& nonce) {
  const std::string attribute = fmt::format(" nonce=\"{}\"", nonce);
  return page({.title = "Runs",
               .policy = fmt::format(
                   "default-src 'none'; script-src 'nonce-{}'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'", nonce),
               .origin = "Shown by <code>paretofl serve</code>, which only reads the runs.",
               .data = "null",
               .nonce = attribute,
               .live = fmt::format("<script{}>{}</script>\n", attribute, live_js())});
}

void write_html_report(const std::vector<RunData>& runs, const std::filesystem::path& file, const std::vector<double>& reference) {
  write_whole_file(file, html_report(runs, reference));
}

}  // namespace paretofl
