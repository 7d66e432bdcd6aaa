#include "paretofl/serve/run_figures.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/report/recorded_round.h"

namespace paretofl {
namespace {

using Json = nlohmann::ordered_json;

/// The figures of a split, {metric: {objective: number or null}}.
void expect_figures(const Json& figures, const std::string& split, const std::string& where) {
  expect(figures.is_object(), "{}: expected an object at {}, found {}", where, split, figures.type_name());
  for (const auto& [metric, values] : figures.items()) {
    expect(values.is_object(), "{}: expected an object at {}, found {}", where, metric, values.type_name());
    for (const auto& entry : values.items()) number_at(values, entry.key(), where);
  }
}

}  // namespace

void RunFigures::add(std::string_view row, const std::string& where) {
  // An event's line ends there too.
  expect(row.find('\r') == std::string_view::npos, "{}: expected a line without carriage returns, found one", where);
  const Json json = parse_ordered_json(row, where);
  expect(json.is_object(), "{}: expected an object, found {}", where, json.type_name());
  const double number = number_at(json, "round", where);
  expect(number >= 0 && number <= std::numeric_limits<int>::max(), "{}: expected a round, found {}", where, number);
  expect(rows == 0 || number > round, "{}: expected a round after {}, found {}", where, round, number);

  RunFigures sum = *this;
  ++sum.rows;
  sum.round = static_cast<int>(number);
  for (const auto& [key, total] : {std::pair("bytes_up", &sum.bytes_up), {"bytes_down", &sum.bytes_down}, {"late", &sum.late}}) {
    if (json.contains(key)) *total += number_at(json, key, where);
  }
  if (const auto failures_found = json.find("failures"); failures_found != json.end()) {
    expect(failures_found->is_array(), "{}: expected a list at failures, found {}", where, failures_found->type_name());
    sum.failures += failures_found->size();
  }
  if (const auto phases = json.find("seconds"); phases != json.end()) {
    expect(phases->is_object(), "{}: expected an object at seconds, found {}", where, phases->type_name());
    for (const auto& entry : phases->items()) sum.seconds[entry.key()] += number_at(*phases, entry.key(), where);
  }
  for (const char* split : {"train", "validation", "test"}) {
    if (!json.contains(split)) continue;
    expect_figures(json.at(split), split, where);
    sum.last[split] = json.at(split);
  }
  *this = std::move(sum);
}

}  // namespace paretofl
