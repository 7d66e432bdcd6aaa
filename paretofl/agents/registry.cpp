#include "paretofl/agents/agent.h"
#include "paretofl/agents/capql.h"
#include "paretofl/agents/ddpg.h"
#include "paretofl/agents/dqn.h"
#include "paretofl/agents/envelope_agent.h"
#include "paretofl/registry/option_reader.h"

namespace paretofl {

Registry<std::unique_ptr<Agent>(const Settings&, const std::string&)>& agents() {
  static Registry<std::unique_ptr<Agent>(const Settings&, const std::string&)> registry(
      "agent", {{{"dqn", "deep Q-learning, for discrete actions", "Mnih et al. 2015, Algorithm 1", described<DqnOptions>()},
                 [](const Settings& settings, const std::string& environment) {
                   return std::make_unique<Dqn>(read_options<DqnOptions>(settings, "dqn"), environment);
                 }},
                {{"ddpg", "deep deterministic policy gradients, for continuous actions", "Lillicrap et al. 2016, Algorithm 1",
                  described<DdpgOptions>()},
                 [](const Settings& settings, const std::string& environment) {
                   return std::make_unique<Ddpg>(read_options<DdpgOptions>(settings, "ddpg"), environment);
                 }},
                {{"envelope_dqn", "envelope Q-learning, one network for all preferences, for discrete actions",
                  "Yang, Sun and Narasimhan 2019, Algorithm 1", described<EnvelopeOptions>()},
                 [](const Settings& settings, const std::string& environment) {
                   return std::make_unique<EnvelopeAgent>(read_options<EnvelopeOptions>(settings, "envelope_dqn"), environment);
                 }},
                {{"capql", "concave-augmented Pareto Q-learning, one actor for all preferences, for continuous actions",
                  "Lu, Herman and Yu 2023", described<CapqlOptions>()},
                 [](const Settings& settings, const std::string& environment) {
                   return std::make_unique<Capql>(read_options<CapqlOptions>(settings, "capql"), environment);
                 }}});
  return registry;
}

}  // namespace paretofl
