#include "paretofl/registry/option_reader.h"
#include "paretofl/rewards/characters_reward.h"
#include "paretofl/rewards/code_accuracy.h"
#include "paretofl/rewards/code_format.h"
#include "paretofl/rewards/format_reward.h"
#include "paretofl/rewards/gsm8k_accuracy.h"
#include "paretofl/rewards/length_reward.h"
#include "paretofl/rewards/math_accuracy.h"
#include "paretofl/rewards/model_reward.h"
#include "paretofl/rewards/repetition_penalty.h"
#include "paretofl/rewards/reward.h"
#include "paretofl/rewards/tag_count_reward.h"

namespace paretofl {
namespace {

template <class T>
Registry<std::unique_ptr<Reward>(const Settings&)>::Entry entry(std::string name, std::string summary, std::string reference) {
  return {{name, std::move(summary), std::move(reference), described<typename T::Options>()},
          [name](const Settings& settings) { return std::make_unique<T>(read_options<typename T::Options>(settings, name)); }};
}

}  // namespace

Registry<std::unique_ptr<Reward>(const Settings&)>& rewards() {
  static Registry<std::unique_ptr<Reward>(const Settings&)> registry(
      "reward",
      {entry<CharactersReward>("characters", "share of the characters that are in a set", ""),
       entry<CodeAccuracy>("code_accuracy", "1 if the program passes the reference's tests, run in a sandbox, else 0", "FedMOA"),
       entry<CodeFormat>("code_format", "1 if there is exactly one fenced block of valid Python, else 0", "FedMOA"),
       entry<FormatReward>("format", "1 if the completion is reasoning and then an answer, each in its tags, else 0", "FedMOA"),
       entry<Gsm8kAccuracy>("gsm8k_accuracy", "1 if the answer is the reference's number, else 0", "FedMOA"),
       entry<LengthReward>("length", "how close the length is to a target", ""),
       entry<MathAccuracy>("math_accuracy", "1 if the answer equals the reference, in any notation, else 0", "FedMOA"),
       entry<RepetitionPenalty>("repetition_penalty", "minus the share of groups of words that occurred before", "Welleck et al. 2020"),
       entry<ModelReward>("reward_model", "a transformer's score, on the logistic scale", "FIRM, section 5"),
       entry<TagCountReward>("tag_count", "share of the tags that occur exactly once", "FedMOA")});
  return registry;
}

std::unique_ptr<Reward> make_reward(const Component& component) { return rewards().at(component.name).make(component.settings); }

}  // namespace paretofl
