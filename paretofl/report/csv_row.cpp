#include "paretofl/report/csv_row.h"

#include <fmt/ranges.h>

namespace paretofl {
namespace {

std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

std::string csv_row(const std::vector<std::string>& cells) {
  std::vector<std::string> fields;
  for (const std::string& cell : cells) fields.push_back(field(cell));
  return fmt::format("{}\n", fmt::join(fields, ","));
}

}  // namespace paretofl
