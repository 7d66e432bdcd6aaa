#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/commands.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/printable.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/objectives/point_file.h"
#include "paretofl/runs/run_evaluation.h"
#include "paretofl/terminal/final_figures.h"

namespace paretofl {
namespace {

constexpr std::size_t kEvaluateWidth = 80;

struct EvaluateArguments {
  std::string run;
  std::string data_root;
  std::optional<std::string> preference;
  bool json = false;
};

/// The figures of one model: of each objective, or of the whole; NaN where one is unknown.
ObjectiveValues numbers_of(const nlohmann::ordered_json& values) {
  ObjectiveValues numbers;
  const auto add = [&](const nlohmann::ordered_json& value) { numbers.push_back(value.is_number() ? value.get<double>() : NAN); };
  if (!values.is_array()) add(values);
  for (const auto& value : values.is_array() ? values : nlohmann::ordered_json::array()) add(value);
  return numbers;
}

/// As the end of a run tells it.
std::string told(const nlohmann::ordered_json& evaluation) {
  const auto objectives = evaluation.at("objectives").get<std::vector<std::string>>();
  std::map<std::string, ObjectiveValues> test;
  for (const auto& [metric, values] : evaluation.at("test").items()) {
    for (const std::string& objective : objectives) test[metric].push_back(values.at(objective).get<double>());
  }
  std::map<std::string, double> overall;
  if (evaluation.contains("overall")) overall = evaluation.at("overall").get<std::map<std::string, double>>();
  std::map<std::string, std::vector<ObjectiveValues>> front;
  if (evaluation.contains("front")) {
    for (const auto& [metric, models] : evaluation.at("front").items()) {
      for (const auto& values : models) front[metric].push_back(numbers_of(values));
    }
  }
  const bool clients = evaluation.contains("clients"), shared = evaluation.contains("shared");
  const char* means = !clients ? "" : !shared ? "; means over the clients' own models" : "; means over the clients, which share it";
  const std::string chosen = evaluation.contains("chosen_by") ? ", chosen by " + evaluation.at("chosen_by").get<std::string>() : "";
  return fmt::format("{} on {}, seed {}, the {} of round {}{}:\n", printable(evaluation.at("strategy").get<std::string>()),
                     printable(evaluation.at("workload").get<std::string>()), evaluation.at("seed").get<std::int64_t>(),
                     clients && !shared ? "models" : "model", evaluation.at("round").get<std::int64_t>(),
                     clients ? means : printable(chosen)) +
         test_figures(objectives, test, overall, kEvaluateWidth) + front_figures(objectives, front, kEvaluateWidth);
}

void evaluate(const EvaluateArguments& arguments) {
  EvaluationRequest request{.run = arguments.run, .data_root = arguments.data_root};
  if (arguments.preference) request.preference = parse_point(*arguments.preference, "--preference");
  const nlohmann::ordered_json evaluation = evaluate_run(request);
  if (arguments.json) {
    write_output("{}\n", json_text(evaluation, 2));
  } else {
    write_output("{}", told(evaluation));
  }
}

}  // namespace

void add_evaluate(CLI::App& app) {
  CLI::App* command = app.add_subcommand("evaluate", "Evaluate a run's trained model on the test set");
  const auto arguments = std::make_shared<EvaluateArguments>();
  command->add_option("RUN", arguments->run, "run directory")->required()->type_name("");
  command->add_option("--data", arguments->data_root, "folder of the data sets (default: the run's data.root)")->type_name("DIR");
  command
      ->add_option(
          "--preference", arguments->preference,
          "which model, of pareto_manifold, or what the agents envelope_dqn and capql act under: one number per objective, such as "
          "0.3,0.7 (default: pareto_manifold's uniform one, every client's own with the agents; and the run's front)")
      ->type_name("R");
  command->add_flag("--json", arguments->json, "print the figures as JSON: {\"round\", \"test\": {metric: {objective: x}}, ..}");
  command->footer(
      "The model is the one that evaluation.choose_by chose, or that of the newest checkpoint; of strategies with one model\n"
      "per client all are evaluated. The figures of an unchanged run are those of its summary.json.\n\n"
      "Example: the table; the figures for a script; on the same data elsewhere\n"
      "  paretofl evaluate runs/glyphs\n"
      "  paretofl evaluate runs/glyphs --json\n"
      "  paretofl evaluate runs/multimnist --data /mnt/data");
  command->callback([arguments] { evaluate(*arguments); });
}

}  // namespace paretofl
