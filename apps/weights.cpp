#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/input_text.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/runs/config.h"
#include "paretofl/solvers/weight_problem_json.h"
#include "paretofl/solvers/weight_solver.h"

namespace paretofl {
namespace {

constexpr const char* kWeightsFooter = R"(FILE holds one JSON object, M being the number of objectives:
  gramian     M lists of M numbers: inner products of the objectives' gradients
  losses      M numbers, current objective values (optional, as are the following)
  previous    M numbers whose absolute values sum to 1: the previous objective weights
  preference  M numbers above 0
  previous_losses      M numbers, the losses that the previous weights were set from
  two_sample_products  M lists of M numbers: inner products of the gradients on one
              sample (rows) with those on an independent one (columns)
  step        number of the step: how often weights have been computed, including this time (1)
Prints one JSON object:
  lambda        M objective weights whose absolute values sum to 1; negative ones only
                from imtl_g, config and aligned_mtl
  kkt_residual  scaled distance from a solution of the solver's own problem; 0 if it has none
  iterations    number of steps of the solver

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

void print_weights(const WeightsArguments& arguments) {
  Component component{arguments.solver, {}};
  apply_overrides(component.settings, arguments.overrides);
  const std::unique_ptr<WeightSolver> solver = make_solver(component);
  const WeightProblemData problem = parse_weight_problem(read_input(arguments.file, "a JSON object"), arguments.file);
  const WeightSolution solution = solver->solve(problem.problem());
  nlohmann::ordered_json result;
  result["lambda"] = solution.objective_weights;
  result["kkt_residual"] = solution.kkt_residual;
  result["iterations"] = solution.iterations;
  write_output("{}\n", result.dump());
}

}  // namespace

void add_weights(CLI::App& app) {
  auto* command = app.add_subcommand("weights", "Compute the objective weights of one Gramian by any solver");
  auto arguments = std::make_shared<WeightsArguments>();
  command->add_option("--solver", arguments->solver, "name of the solver")->required()->type_name("NAME");
  command->add_option("--set", arguments->overrides, "an option of the solver: key=value; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("FILE", arguments->file, "JSON file, or - for standard input")->required()->type_name("");
  command->add_flag("--json")->description("accepted as in every command; the output is always JSON");
  command->footer(kWeightsFooter);
  command->callback([arguments] { print_weights(*arguments); });
}

}  // namespace paretofl
