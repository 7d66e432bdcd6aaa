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

/// The entries of a square matrix, row after row.
std::vector<double> square_matrix(const json& rows, const std::string& name) {
  expect(rows.is_array() && !rows.empty(), "{}: expected a list of rows, found {}", name,
         rows.is_array() ? "an empty one" : rows.type_name());
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::vector<double> row = numbers(rows[i], fmt::format("{} row {}", name, i));
    expect(row.size() == rows.size(), "{}: expected {} numbers in row {}, one per row, found {}", name, rows.size(), i, row.size());
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

}  // namespace

WeightProblemData parse_weight_problem(const std::string& text, const std::string& name) {
  static const std::array<std::string, 7> kKnown = {"gramian",    "losses", "previous", "previous_losses", "two_sample_products",
                                                    "preference", "step"};
  const json object = parse_json(text, name);
  expect(object.is_object(), "{}: expected a JSON object with a gramian, found {}", name, object.type_name());
  expect(object.contains("gramian"), "{}: expected a JSON object with a gramian, found one without", name);
  WeightProblemData problem;
  for (const auto& [key, value] : object.items()) {
    if (key == "gramian") {
      problem.gramian = Gramian(value.size(), square_matrix(value, key));
    } else if (key == "losses") {
      problem.losses = numbers(value, key);
    } else if (key == "previous") {
      problem.previous = numbers(value, key);
    } else if (key == "previous_losses") {
      problem.previous_losses = numbers(value, key);
    } else if (key == "two_sample_products") {
      problem.two_sample_products = square_matrix(value, key);
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
