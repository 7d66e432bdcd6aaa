#include "paretofl/agents/dqn.h"

#include "paretofl/agents/dqn_rule.h"
#include "paretofl/core/error.h"
#include "paretofl/models/network_layers.h"

namespace paretofl {

void DqnOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.integer("target_update_interval", target_update_interval, 1, kMaxInt, "steps between copies to the target network");
  visit.integer("total_steps", total_steps, 1, kMaxInt, "steps of a client's whole training; exploration_fraction is relative to it");
  visit.real("exploration_fraction", exploration_fraction, 1e-9, 1, "share of the training during which exploration decreases");
  visit.real("exploration_final", exploration_final, 0, 1, "probability of a random action after that");
  visit.real("max_gradient_norm", max_gradient_norm, 0, kInfinity, "longer gradients are scaled down to this norm");
}

Dqn::Dqn(DqnOptions options, std::string environment) : options_(std::move(options)), environment_(std::move(environment)) {
  const EnvironmentSpec spec = make_environment(environment_)->spec();
  expect(spec.action.discrete(), "dqn: expected an environment of discrete actions, found {}", spec.id);
  actions_ = spec.action;
  shape_.widths = options_.base.widths(spec.observation.size(), static_cast<std::size_t>(spec.action.choices));
  layout_ = options_.base.sent(dense_slices(shape_, "q"));
}

std::unique_ptr<Policy> Dqn::policy(const Preference&) const { return std::make_unique<GreedyPolicy>(shape_); }

std::optional<NetworkGraph> Dqn::network() const {
  NetworkGraph graph;
  const std::string observation = graph.input({"observation", {static_cast<std::int64_t>(shape_.inputs())}});
  const std::string values = dense_of(graph, shape_, "q", observation);
  graph.output(values, {"values", {actions_.choices}});
  graph.output(graph.add("ArgMax", {values}, {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}}), {"action", {}, true});
  return graph;
}

std::unique_ptr<Learner> Dqn::learner(const LocalTrainingOptions& options, const Preference& preference) const {
  return std::make_unique<OffPolicyLearner>(options_.base, options, environment_, preference,
                                            std::make_unique<DqnRule>(options_, options.client_lr, actions_, shape_), layout_);
}

}  // namespace paretofl
