#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {
namespace {

using nlohmann::json;

constexpr const char* kFooter = R"(FILE holds one JSON object, M being the number of objectives:
  gramian     M lists of M numbers: inner products of the objectives' gradients
  losses      M numbers, current objective values (optional, as are the following)
  previous    M numbers that sum to 1, the objective weights before
  preference  M numbers above 0
  step        how often weights have been set, this time included (1)
Prints one JSON object:
  lambda        M objective weights, at least 0, that sum to 1
  kkt_residual  scaled distance from optimality in the solver's own problem; 0 where it solves none
  iterations    the solver's steps

`paretofl list solvers` shows every solver and its options.

Example: the combination of least norm of two orthogonal gradients of norms 1 and 2
  printf '{"gramian": [[1, 0], [0, 4]]}' > gradients.json
  paretofl weights --solver min_norm gradients.json
prints
  {"lambda":[0.8,0.2],"kkt_residual":0.0,"iterations":1})";

struct WeightsArguments {
  std::string solver;
  std::string file;
  std::vector<std::string> overrides;
};

struct ProblemFile {
  Gramian gramian{0};
  std::vector<double> losses;
  std::vector<double> previous;
  std::vector<double> preference;
  std::int64_t step = 1;
};

std::string read_text(const std::string& name) {
  std::ostringstream text;
  if (name == "-") {
    text << std::cin.rdbuf();
  } else {
    std::ifstream file(name, std::ios::binary);
    expect(file && file.peek() != std::ifstream::traits_type::eof() && text << file.rdbuf(),
           "{}: expected a readable file with a JSON object, found none", name);
  }
  return text.str();
}

json parse_json(const std::string& text, const std::string& name) {
  try {
    return json::parse(text);
  } catch (const json::exception& error) {
    const std::string_view message = error.what();
    throw Error(fmt::format("{}: expected JSON, found: {}", name, message.substr(message.find("] ") + 2)));
  }
}

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

ProblemFile read_problem(const std::string& name) {
  static const std::array<std::string, 5> kKnown = {"gramian", "losses", "previous", "preference", "step"};
  const json object = parse_json(read_text(name), name);
  expect(object.is_object(), "{}: expected a JSON object with a gramian, found {}", name, object.type_name());
  expect(object.contains("gramian"), "{}: expected a JSON object with a gramian, found one without", name);
  ProblemFile problem;
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

void print_weights(const WeightsArguments& arguments) {
  Component component{arguments.solver, {}};
  for (const std::string& assignment : arguments.overrides) apply_override(component.settings, assignment);
  const std::unique_ptr<WeightSolver> solver = make_solver(component);
  const ProblemFile problem = read_problem(arguments.file);
  const WeightSolution solution = solver->solve({.gramian = problem.gramian,
                                                 .losses = problem.losses,
                                                 .previous = problem.previous,
                                                 .preference = problem.preference,
                                                 .step = problem.step});
  nlohmann::ordered_json result;
  result["lambda"] = solution.objective_weights;
  result["kkt_residual"] = solution.kkt_residual;
  result["iterations"] = solution.iterations;
  fmt::print("{}\n", result.dump());
}

}  // namespace

void add_weights(CLI::App& app) {
  auto* command = app.add_subcommand("weights", "Objective weights of one Gramian from any solver");
  auto arguments = std::make_shared<WeightsArguments>();
  command->add_option("--solver", arguments->solver, "name of the solver")->required();
  command->add_option("--set", arguments->overrides, "an option of the solver: key=value (repeatable)")->allow_extra_args(false);
  command->add_option("FILE", arguments->file, "JSON file, or - for standard input")->required();
  command->add_flag("--json")->description("accepted as in every command; the output always is JSON");
  command->footer(kFooter);
  command->callback([arguments] { print_weights(*arguments); });
}

}  // namespace paretofl
