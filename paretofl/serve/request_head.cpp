#include "paretofl/serve/request_head.h"

#include <algorithm>
#include <array>

#include "paretofl/core/ascii.h"

namespace paretofl {
namespace {

constexpr std::array<std::string_view, 3> kUsed{"host", "authorization", "last-event-id"};

bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_visible(char c) { return c > ' ' && c < 127; }

}  // namespace

std::optional<std::string> used_head(std::string_view head) {
  std::string used;
  std::size_t hosts = 0;
  for (bool first = true;; first = false) {
    const std::size_t end = head.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (line.empty()) break;
    if (first) {
      if (!std::all_of(line.begin(), line.end(), [](char c) { return is_visible(c) || c == ' '; })) return std::nullopt;
      used += line;
      used += "\r\n";
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return std::nullopt;
    const std::string_view name = line.substr(0, colon), value = line.substr(colon + 1);
    if (!std::all_of(name.begin(), name.end(), is_name_character)) return std::nullopt;
    const auto is_text = [](char c) { return static_cast<unsigned char>(c) >= ' ' || c == '\t'; };
    if (!std::all_of(value.begin(), value.end(), is_text)) return std::nullopt;
    const std::string known = lower_case(name);
    if (known == "host") ++hosts;
    if (std::find(kUsed.begin(), kUsed.end(), known) == kUsed.end()) continue;
    used += line;
    used += "\r\n";
  }
  if (used.empty() || hosts != 1 || !head.empty()) return std::nullopt;
  return used + "\r\n";
}

}  // namespace paretofl
