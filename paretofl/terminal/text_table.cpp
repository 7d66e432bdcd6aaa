#include "paretofl/terminal/text_table.h"

#include <algorithm>
#include <numeric>

#include "paretofl/core/printable.h"

namespace paretofl {
namespace {

constexpr std::size_t kGap = 2;

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::size_t width_of(const TextColumn& column) {
  std::size_t width = display_width(column.title);
  for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
  return width;
}

std::size_t width_of(const std::vector<TextColumn>& columns) {
  return std::accumulate(columns.begin(), columns.end(), std::size_t{0},
                         [](std::size_t sum, const TextColumn& column) { return sum + (sum == 0 ? 0 : kGap) + width_of(column); });
}

/// The first `width` characters; where some are cut, the last is an ellipsis.
std::string cut(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    if (begins_character(text[end]) && ++characters == width) break;
  }
  return text.substr(0, end) + "…";
}

std::string line(const std::vector<TextColumn>& columns, const std::vector<std::size_t>& widths, const auto& text_of) {
  std::string result;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string text = text_of(columns[i]);
    const std::string padding(widths[i] - display_width(text), ' ');
    if (i > 0) result += std::string(kGap, ' ');
    result += columns[i].left_aligned ? text + padding : padding + text;
  }
  result.erase(result.find_last_not_of(' ') + 1);
  return result + '\n';
}

}  // namespace

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string text_table(std::vector<TextColumn> columns, std::size_t width) {
  for (TextColumn& column : columns) {
    column.title = printable(column.title);
    for (std::string& cell : column.cells) cell = printable(cell);
  }
  while (width_of(columns) > width) {
    const auto least = std::min_element(columns.begin(), columns.end(), [](const auto& a, const auto& b) { return a.keep < b.keep; });
    if (least->keep == TextColumn::kAlways) break;
    columns.erase(least);
  }
  if (const std::size_t all = width_of(columns); all > width) {
    const std::size_t first = width_of(columns.front());
    const std::size_t left = std::max<std::size_t>(8, first > all - width ? first - (all - width) : 0);
    for (std::string& cell : columns.front().cells) cell = cut(cell, left);
  }
  std::vector<std::size_t> widths;
  for (const TextColumn& column : columns) widths.push_back(width_of(column));
  std::string result = line(columns, widths, [](const TextColumn& column) { return column.title; });
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    result += line(columns, widths, [row](const TextColumn& column) { return column.cells[row]; });
  }
  return result;
}

}  // namespace paretofl
