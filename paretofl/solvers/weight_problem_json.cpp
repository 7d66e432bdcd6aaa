#include "paretofl/solvers/weight_problem_json.h"

#include <fmt/ranges.h>

#include <array>

#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"

namespace paretofl {
namespace {

using nlohmann::json;

std::vector<double> numbers(const json& list, const std::string& name) {
  expect(list.is_array(), "{}: expected a list of numbers, found {}", name, list.type_name());
  std::vector<double> values;
  for (const json& value : list) {
    expect(value.is_number(), "{}: expected a list of numbers, found {} at {}", name, value.type_name(), values.size());
    values.push_back(value.get<double>());
  }
  return values;
}

Gramian read_gramian(const json& rows) {
  expect(rows.is_array() && !rows.empty(), "gramian: expected a list of rows, found {}",
         rows.is_array() ? "an empty one" : rows.type_name());
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> row = numbers(rows[i], fmt::format("gramian row {}", i));
    expect(row.size() == rows.size(), "gramian: expected {} numbers in row {}, one per row, found {}", rows.size(), i, row.size());
    values.insert(values.end(), row.begin(), row.end());
  }
  return Gramian(rows.size(), std::move(values));
}

}  // namespace

WeightProblemData parse_weight_problem(const std::string& text, const std::string& name) {
  static const std::array<std::string, 5> kKnown = {"gramian", "losses", "previous", "preference", "step"};
  const json object = parse_json(text, name);
  expect(object.is_object(), "{}: expected a JSON object with a gramian, found {}", name, object.type_name());
  expect(object.contains("gramian"), "{}: expected a JSON object with a gramian, found one without", name);
  WeightProblemData problem;
  for (const auto& [key, value] : object.items()) {
    if (key == "gramian") {
      problem.gramian = read_gramian(value);
    } else if (key == "losses") {
      problem.losses = numbers(value, key);
    } else if (key == "previous") {
      problem.previous = numbers(value, key);
    } else if (key == "preference") {
      problem.preference = numbers(value, key);
    } else if (key == "step") {
      expect(value.is_number_integer(), "step: expected an integer, found {}", value.dump());
      problem.step = value.get<std::int64_t>();
    } else {
      throw Error(fmt::format("{}: expected only the keys {}; found '{}'", name, fmt::join(kKnown, ", "), key));
    }
  }
  return problem;
}

}  // namespace paretofl
