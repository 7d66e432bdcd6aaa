#include "paretofl/tables/csv_text.h"

#include <fmt/format.h>

#include <cmath>

namespace paretofl {
namespace {

bool needs_quotes(const std::string& field) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  return field.find_first_of(",\"\r\n") != std::string::npos || (!field.empty() && (blank(field.front()) || blank(field.back()))) ||
         field.starts_with("\xef\xbb\xbf");  // a byte order mark would be dropped
}

}  // namespace

std::string csv_line(std::span<const std::string> fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    if (!needs_quotes(field)) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return line + "\n";
}

std::string number_cell(double number) { return std::isnan(number) ? "" : fmt::format("{}", number); }

}  // namespace paretofl
