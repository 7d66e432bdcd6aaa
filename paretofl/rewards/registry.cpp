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
      "reward", {entry<CharactersReward>("characters", "share of characters from a set", ""),
                 entry<CodeAccuracy>("code_accuracy", "a program that passes the reference's tests, run in a sandbox", "FedMOA"),
                 entry<CodeFormat>("code_format", "one fenced block of Python that can be parsed", "FedMOA"),
                 entry<FormatReward>("format", "reasoning and then an answer, each in its tags", "FedMOA"),
                 entry<Gsm8kAccuracy>("gsm8k_accuracy", "the reference's number as the answer", "FedMOA"),
                 entry<LengthReward>("length", "closeness to a length", ""),
                 entry<MathAccuracy>("math_accuracy", "the reference's answer, however it is written", "FedMOA"),
                 entry<RepetitionPenalty>("repetition_penalty", "minus the share of repeated groups of words", "Welleck et al. 2020"),
                 entry<ModelReward>("reward_model", "a transformer's score, on the logistic scale", "FIRM, section 5"),
                 entry<TagCountReward>("tag_count", "share of the tags that are there exactly once", "FedMOA")});
  return registry;
}

std::unique_ptr<Reward> make_reward(const Component& component) { return rewards().at(component.name).make(component.settings); }

}  // namespace paretofl
