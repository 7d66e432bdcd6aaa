#include "paretofl/sweeps/axis.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::int64_t parse_seed(std::string_view text) {
  text = trim(text);
  std::int64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  expect(error == std::errc() && end == text.data() + text.size() && seed >= 0, "--seeds: expected whole numbers >= 0, found '{}'", text);
  return seed;
}

void expect_distinct(const std::vector<std::string>& values, std::string_view name) {
  for (auto value = values.begin(); value != values.end(); ++value) {
    expect(std::find(values.begin(), value, *value) == value, "{}: expected different values, found {} twice", name, *value);
  }
}

}  // namespace

std::vector<std::string> split_values(std::string_view list, std::string_view name) {
  std::vector<std::string> values;
  std::size_t depth = 0, begin = 0;
  char quote = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[') {
      ++depth;
    } else if (c == ']') {
      expect(depth > 0, "{}: expected a [ for every ], found none in '{}'", name, list);
      --depth;
    } else if (c == ',' && depth == 0) {
      values.emplace_back(trim(list.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  expect(depth == 0 && quote == 0, "{}: expected brackets and quotes that close, found '{}'", name, list);
  values.emplace_back(trim(list.substr(begin)));
  expect(std::none_of(values.begin(), values.end(), [](const std::string& value) { return value.empty(); }),
         "{}: expected values with commas between them, found '{}'", name, list);
  expect_distinct(values, name);
  return values;
}

Axis parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string key(trim(text.substr(0, std::min(equals, text.size()))));
  expect(equals != std::string_view::npos && !key.empty(), "--over: expected key=v1,v2,.., found '{}'", text);
  return {key, split_values(text.substr(equals + 1), fmt::format("--over {}", key))};
}

Axis parse_seeds(std::string_view text) {
  Axis axis{"seed", {}};
  for (const std::string& item : split_values(text, "--seeds")) {
    const std::size_t dots = item.find("..");
    const std::int64_t first = parse_seed(std::string_view(item).substr(0, dots));
    const std::int64_t last = dots == std::string::npos ? first : parse_seed(std::string_view(item).substr(dots + 2));
    expect(first <= last && last - first < static_cast<std::int64_t>(kMaxSeeds), "--seeds: expected a range of 1 to {} seeds, found '{}'",
           kMaxSeeds, item);
    for (std::int64_t i = 0; i <= last - first; ++i) axis.values.push_back(fmt::format("{}", first + i));  // no sum beyond the largest seed
  }
  expect_distinct(axis.values, "--seeds");
  return axis;
}

}  // namespace paretofl
