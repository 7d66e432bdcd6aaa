#include "paretofl/terminal/fitted_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace paretofl {
namespace {

constexpr std::size_t kNarrowest = 20;
constexpr std::string_view kCommand = "  paretofl ";

/// Where a line's description begins: behind the last gap of two spaces or more, of those in the first half of the width.
std::size_t indentation(std::string_view line, std::size_t width) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  std::size_t column = begin;
  for (std::size_t i = begin; i + 2 < std::min(line.size(), width / 2); ++i) {
    if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ') column = i + 2;
  }
  if (column > begin || begin == 0) return column;
  return std::min(begin + 4, width / 2);
}

void add_line(std::string_view line, std::size_t width, std::string& out) {
  const std::size_t indent = indentation(line, width);
  bool first = true;
  while ((first ? 0 : indent) + line.size() > width) {
    const std::size_t room = width - (first ? 0 : indent);
    const std::size_t begin = first ? std::min(line.find_first_not_of(' '), line.size()) : 0;
    std::size_t at = line.rfind(' ', room);
    if (at == std::string_view::npos || at <= begin) at = line.find(' ', std::max(room, begin));
    if (at == std::string_view::npos) break;
    const std::size_t end = line.find_last_not_of(' ', at);
    out.append(first ? 0 : indent, ' ').append(line.substr(0, end + 1)).append("\n");
    line.remove_prefix(std::min(line.find_first_not_of(' ', at), line.size()));
    first = false;
  }
  out.append(first ? 0 : indent, ' ').append(line);
}

}  // namespace

std::string fitted_text(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(kCommand)) {
      out.append(line);
    } else {
      add_line(line, std::max(width, kNarrowest), out);
    }
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::size_t output_columns() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) == 1 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace paretofl
