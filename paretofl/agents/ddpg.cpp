#include "paretofl/agents/ddpg.h"

#include "paretofl/agents/bounded_actions.h"
#include "paretofl/agents/ddpg_rule.h"
#include "paretofl/models/network_layers.h"

namespace paretofl {

void DdpgOptions::describe(OptionVisitor& visit) {
  base.describe(visit);
  visit.real("tau", tau, 0, 1, "share by which the target networks move towards the trained ones per gradient step");
  visit.real("noise", noise, 0, kInfinity, "standard deviation of the exploration noise on actions in [-1, 1]");
}

Ddpg::Ddpg(DdpgOptions options, std::string environment) : options_(std::move(options)), environment_(std::move(environment)) {
  const EnvironmentSpec spec = make_environment(environment_)->spec();
  actions_ = bounded_actions(spec, "ddpg");
  const std::size_t d = spec.observation.size();
  const std::size_t a = actions_.size();
  shape_.actor = {.widths = options_.base.widths(d, a), .tanh_output = true};
  shape_.critic = {.widths = options_.base.widths(d + a, 1)};
  std::vector<Slice> slices = dense_slices(shape_.actor, "actor");
  for (Slice& slice : dense_slices(shape_.critic, "critic")) slices.push_back(std::move(slice));
  layout_ = options_.base.sent(std::move(slices));
}

std::unique_ptr<Policy> Ddpg::policy(const Preference&) const { return std::make_unique<ActorPolicy>(shape_, actions_); }

std::optional<NetworkGraph> Ddpg::network() const {
  NetworkGraph graph;
  const std::string observation = graph.input({"observation", {static_cast<std::int64_t>(shape_.actor.inputs())}});
  const std::string scaled = dense_of(graph, shape_.actor, "actor", observation);
  graph.output(stretched_to_bounds(graph, actions_, scaled), {"action", {static_cast<std::int64_t>(actions_.size())}});
  return graph;
}

std::unique_ptr<Learner> Ddpg::learner(const LocalTrainingOptions& options, const Preference& preference) const {
  return std::make_unique<OffPolicyLearner>(options_.base, options, environment_, preference,
                                            std::make_unique<DdpgRule>(options_, options.client_lr, actions_, shape_), layout_);
}

}  // namespace paretofl
