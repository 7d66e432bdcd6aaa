#include "paretofl/agents/envelope_agent.h"

#include "paretofl/agents/envelope_rule.h"
#include "paretofl/core/error.h"
#include "paretofl/models/network_layers.h"
#include "paretofl/objectives/spaced_preferences.h"

namespace paretofl {

void EnvelopeOptions::describe(OptionVisitor& visit) {
  dqn.describe(visit);
  visit.integer("preferences_per_update", preferences_per_update, 1, 10000,
                "preferences drawn at each gradient step, which learns for all");
  visit.real("homotopy_final", homotopy_final, 0, 1,
             "share of the scalarized loss after total_steps, beside that of the vector of values; it grows linearly from 0");
  visit.choice("acting", acting, {"drawn", "own"}, "the preference that a client acts under: one drawn for each episode, or its own");
  visit.integer("front_preferences", front_preferences, 1, 10000, "evenly spaced preferences at which the run evaluates a shared model");
}

EnvelopeAgent::EnvelopeAgent(EnvelopeOptions options, std::string environment)
    : options_(std::move(options)), environment_(std::move(environment)) {
  const EnvironmentSpec spec = make_environment(environment_)->spec();
  expect(spec.action.discrete(), "envelope_dqn: expected an environment of discrete actions, found {}", spec.id);
  actions_ = spec.action;
  objectives_ = spec.objective_names.size();
  shape_.widths =
      options_.dqn.base.widths(spec.observation.size() + objectives_, static_cast<std::size_t>(spec.action.choices) * objectives_);
  layout_ = options_.dqn.base.sent(dense_slices(shape_, "q"));
}

std::unique_ptr<Policy> EnvelopeAgent::policy(const Preference& preference) const {
  return std::make_unique<EnvelopePolicy>(shape_, preference);
}

std::vector<Preference> EnvelopeAgent::front_preferences() const {
  return spaced_preferences(static_cast<std::size_t>(options_.front_preferences), objectives_);
}

std::optional<NetworkGraph> EnvelopeAgent::network() const {
  const auto objectives = static_cast<std::int64_t>(objectives_);
  NetworkGraph graph;
  const std::string observation = graph.input({"observation", {static_cast<std::int64_t>(shape_.inputs()) - objectives}});
  const std::string preference = graph.input({"preference", {objectives}});
  const std::string inputs = graph.add("Concat", {observation, preference}, {{"axis", std::int64_t{1}}});
  const std::string q = graph.add("Reshape", {dense_of(graph, shape_, "q", inputs), graph.integers({0, actions_.choices, objectives})});
  const std::string weights = graph.add("Reshape", {preference, graph.integers({0, 1, objectives})});
  const std::string values = graph.add("ReduceSum", {graph.add("Mul", {q, weights}), graph.integers({2})}, {{"keepdims", std::int64_t{0}}});
  graph.output(values, {"values", {actions_.choices}});
  graph.output(graph.add("ArgMax", {values}, {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}}), {"action", {}, true});
  return graph;
}

std::unique_ptr<Learner> EnvelopeAgent::learner(const LocalTrainingOptions& options, const Preference& preference) const {
  return std::make_unique<OffPolicyLearner>(options_.dqn.base, options, environment_, preference,
                                            std::make_unique<EnvelopeRule>(options_, options.client_lr, actions_, shape_, preference),
                                            layout_);
}

}  // namespace paretofl
