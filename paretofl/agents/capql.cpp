#include "paretofl/agents/capql.h"

#include <iterator>

#include "paretofl/agents/bounded_actions.h"
#include "paretofl/agents/capql_rule.h"
#include "paretofl/models/network_layers.h"
#include "paretofl/objectives/spaced_preferences.h"

namespace paretofl {

void CapqlOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("tau", tau, 0, 1, "share by which the target networks move towards the trained ones per gradient step");
  visit.real("alpha", alpha, 0, kInfinity, "weight of the policy's entropy, which is added to the reward of every objective");
  visit.choice("acting", acting, {"drawn", "own"}, "the preference that a client acts under: one drawn for each episode, or its own");
  visit.integer("front_preferences", front_preferences, 1, 10000, "evenly spaced preferences at which the run evaluates a shared model");
}

Capql::Capql(CapqlOptions options, std::string environment) : options_(std::move(options)), environment_(std::move(environment)) {
  const EnvironmentSpec spec = make_environment(environment_)->spec();
  actions_ = bounded_actions(spec, "capql");
  objectives_ = spec.objective_names.size();
  const std::size_t d = spec.observation.size();
  const std::size_t a = actions_.size();
  shape_.actor.widths = options_.base.widths(d + objectives_, 2 * a);
  shape_.critic.widths = options_.base.widths(d + a + objectives_, objectives_);
  std::vector<Slice> critics = dense_slices(shape_.critic, "critic1");
  std::ranges::move(dense_slices(shape_.critic, "critic2"), std::back_inserter(critics));
  layout_ = options_.base.sent(std::move(critics), dense_slices(shape_.actor, "actor"));
}

std::unique_ptr<Policy> Capql::policy(const Preference& preference) const {
  return std::make_unique<CapqlPolicy>(shape_, actions_, preference);
}

std::vector<Preference> Capql::front_preferences() const {
  return spaced_preferences(static_cast<std::size_t>(options_.front_preferences), objectives_);
}

std::optional<NetworkGraph> Capql::network() const {
  const auto objectives = static_cast<std::int64_t>(objectives_);
  const auto a = static_cast<std::int64_t>(actions_.size());
  NetworkGraph graph;
  const std::string observation = graph.input({"observation", {static_cast<std::int64_t>(shape_.actor.inputs()) - objectives}});
  const std::string preference = graph.input({"preference", {objectives}});
  const std::string inputs = graph.add("Concat", {observation, preference}, {{"axis", std::int64_t{1}}});
  const std::string outputs = dense_of(graph, shape_.actor, "actor", inputs);
  const std::string mean = graph.add_several("Split", {outputs, graph.integers({a, a})}, 2, {{"axis", std::int64_t{1}}})[0];
  graph.output(stretched_to_bounds(graph, actions_, graph.add("Tanh", {mean})), {"action", {a}});
  return graph;
}

std::unique_ptr<Learner> Capql::learner(const LocalTrainingOptions& options, const Preference& preference) const {
  return std::make_unique<OffPolicyLearner>(options_.base, options, environment_, preference,
                                            std::make_unique<CapqlRule>(options_, options.client_lr, actions_, shape_, preference),
                                            layout_);
}

}  // namespace paretofl
