#include "paretofl/objectives/point_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"

namespace paretofl {
namespace {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view unquoted(std::string_view field) {
  field = trim(field);
  const bool quoted = field.size() >= 2 && field.front() == '"' && field.back() == '"';
  return quoted ? trim(field.substr(1, field.size() - 2)) : field;
}

// A comma between quotes belongs to its field.
std::vector<std::string_view> split_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] != ',' || quoted) continue;
    fields.push_back(unquoted(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  fields.push_back(unquoted(line.substr(begin)));
  return fields;
}

// Not finite where the text says so or where the number is beyond a double; nothing for other texts.
std::optional<double> parse_number(std::string_view field) {
  if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (end != field.data() + field.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? value : HUGE_VAL;
}

// What a message may show of a field: printable, and not longer than a line.
std::string shown(std::string_view field) {
  std::string text(field.substr(0, 40));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return field.size() > 40 ? text + "..." : text;
}

void append_numbers(std::span<const std::string_view> fields, std::string_view name, std::vector<double>& values) {
  for (const std::string_view field : fields) {
    const std::optional<double> value = parse_number(field);
    expect(value.has_value() && std::isfinite(*value), "{}: expected a number within a double's range, found '{}'", name, shown(field));
    values.push_back(*value);
  }
}

}  // namespace

std::vector<double> parse_point(std::string_view text, std::string_view name) {
  std::vector<double> values;
  append_numbers(split_fields(text), name, values);
  return values;
}

PointSet parse_points(std::string_view text, std::string_view name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const auto last = text.find_last_not_of(" \t\r\n");
  expect(last != std::string_view::npos, "{}: expected at least one line of numbers, found an empty file", name);
  text = text.substr(0, last + 1);

  std::size_t columns = 0;
  std::vector<double> values;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (content.ends_with('\r')) content.remove_suffix(1);

    const std::vector<std::string_view> fields = split_fields(content);
    if (line == 1) columns = fields.size();
    expect(fields.size() == columns, "{}, line {}: expected {} numbers like line 1, found {}", name, line, columns, fields.size());
    const auto is_number = [](std::string_view field) { return parse_number(field).has_value(); };
    const bool filled = std::none_of(fields.begin(), fields.end(), [](std::string_view field) { return field.empty(); });
    if (line == 1 && filled && std::none_of(fields.begin(), fields.end(), is_number)) continue;
    append_numbers(fields, fmt::format("{}, line {}", name, line), values);
  }
  expect(!values.empty(), "{}: expected at least one line of numbers, found only a header", name);
  return {columns, std::move(values)};
}

PointSet read_points(const std::filesystem::path& path) { return parse_points(read_file(path), path.string()); }

}  // namespace paretofl
