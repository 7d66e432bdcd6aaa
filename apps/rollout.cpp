#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/input_text.h"
#include "apps/seed_option.h"
#include "paretofl/core/error.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/environments/action_list_json.h"
#include "paretofl/environments/environment.h"
#include "paretofl/environments/physical_state_json.h"

namespace paretofl {
namespace {

constexpr const char* kRolloutFooter = R"(FILE holds one JSON list of actions for one episode: integers where the environment's actions are
discrete, lists of numbers otherwise. Prints one JSON object; for T actions it has
  reset_obs   the first observation
  obs         T observations, each after its action
  reward      T rewards, each with one number per objective
  terminated  T values: whether the environment reached an end by its own rule
  truncated   T values: whether the step limit was reached
Numbers are printed exactly: a float32 value as the double that equals it.

--initial-state FILE names a JSON object {"qpos": [..], "qvel": [..]}: the joints' coordinates and velocities to start
from, for environments on MuJoCo. Without it the start is drawn from the seed.

`paretofl list environments` shows every environment.

Example: two moves in deep-sea treasure, to the right and down
  echo '[3, 1]' > moves.json
  paretofl rollout --env deep-sea-treasure-v0 --actions moves.json
prints
  {"reset_obs":[0.0,0.0],"obs":[[0.0,1.0],[1.0,1.0]],"reward":[[0.0,-1.0],[0.0,-1.0]],"terminated":[false,false],"truncated":[false,false]})";

struct RolloutArguments {
  std::string environment;
  std::string file;
  std::string initial_state;  ///< a file's name; empty: drawn
  std::uint64_t seed = 1;
};

void print_rollout(const RolloutArguments& arguments) {
  expect(arguments.file != "-" || arguments.initial_state != "-",
         "rollout: expected one of --actions and --initial-state to be -, found both");
  const std::unique_ptr<Environment> environment = make_environment(arguments.environment);
  const std::size_t width = environment->spec().action.size();
  const std::vector<double> actions =
      parse_actions(read_input(arguments.file, "a JSON list of actions"), arguments.file, environment->spec().action);
  const std::size_t count = actions.size() / width;
  std::vector<double> observation(environment->spec().observation.size());
  std::vector<double> reward(environment->num_objectives());
  nlohmann::ordered_json result;
  if (arguments.initial_state.empty()) {
    environment->reset({.seed = arguments.seed}, observation);
  } else {
    const std::string text = read_input(arguments.initial_state, "a JSON object with qpos and qvel");
    environment->reset({.seed = arguments.seed}, parse_physical_state(text, arguments.initial_state), observation);
  }
  result["reset_obs"] = observation;
  for (const char* key : {"obs", "reward", "terminated", "truncated"}) result[key] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const StepOutcome outcome = environment->step(std::span(actions).subspan(i * width, width), observation, reward);
    result["obs"].push_back(observation);
    result["reward"].push_back(reward);
    result["terminated"].push_back(outcome.terminated);
    result["truncated"].push_back(outcome.truncated);
    expect(!outcome.ended() || i + 1 == count, "{}: expected at most {} actions, as many as the episode has steps, found {}",
           arguments.file, i + 1, count);
  }
  write_output("{}\n", result.dump());
}

}  // namespace

void add_rollout(CLI::App& app) {
  auto* command = app.add_subcommand("rollout", "Play one episode of an environment under given actions");
  auto arguments = std::make_shared<RolloutArguments>();
  command->add_option("--env", arguments->environment, "published id of the environment")->required()->type_name("ID");
  command->add_option("--actions", arguments->file, "JSON file, or - for standard input")->required()->type_name("FILE");
  command->add_option("--initial-state", arguments->initial_state, "JSON file with qpos and qvel to start from, or - for standard input")
      ->type_name("FILE");
  add_seed(*command, arguments->seed, "seed of the environment's random numbers (default: 1)");
  command->add_flag("--json")->description("accepted as in every command; the output is always JSON");
  command->footer(kRolloutFooter);
  command->callback([arguments] { print_rollout(*arguments); });
}

}  // namespace paretofl
