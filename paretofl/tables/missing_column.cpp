#include "paretofl/tables/missing_column.h"

#include <fmt/ranges.h>

#include "paretofl/core/printable.h"
#include "paretofl/registry/registry.h"

namespace paretofl {
namespace {

/// The value of workload.separator that would take the name apart; empty if none does.
std::string separator_in(const std::string& name) {
  for (const auto& [separator, option] : {std::pair{'\t', "tab"}, {';', "semicolon"}, {',', "comma"}}) {
    if (name.find(separator) != std::string::npos) return option;
  }
  return "";
}

}  // namespace

std::string missing_column_hint(const std::string& name, const std::vector<std::string>& columns) {
  constexpr std::size_t kShown = 12;
  if (columns.size() == 1) {
    const std::string separator = separator_in(columns[0]);
    const std::string reader = separator.empty() ? "" : fmt::format(", which workload.separator = \"{}\" takes apart", separator);
    if (!separator.empty() || nearest(name, columns).empty())
      return fmt::format("; the only column is '{}'{}", printable(columns[0]), reader);
  }
  if (const std::string near = nearest(name, columns); !near.empty()) return fmt::format("; did you mean '{}'?", printable(near));
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(columns.size(), kShown); ++i) shown.push_back(fmt::format("'{}'", printable(columns[i])));
  const std::size_t more = columns.size() - shown.size();
  return fmt::format("; the columns are {}{}", fmt::join(shown, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace paretofl
