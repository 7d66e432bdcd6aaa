// What every registered reward on texts promises.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/core/random.h"
#include "paretofl/rewards/reward.h"

namespace paretofl {
namespace {

// All but those that need more than texts, a model or a sandbox; their own tests say what they promise.
std::vector<const RegistryEntry*> text_rewards() {
  static const std::set<std::string> kOthers = {"reward_model", "code_accuracy", "code_format"};
  std::vector<const RegistryEntry*> entries = rewards().entries();
  std::erase_if(entries, [](const RegistryEntry* entry) { return kOthers.contains(entry->name); });
  return entries;
}

class RewardConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  std::unique_ptr<Reward> reward_ = make_reward({GetParam()->name, {}});
};

// Right, wrong and broken completions, and such as a model in trouble writes.
std::vector<Answer> answers() {
  std::vector<std::string> completions = {"",
                                          " \n\t",
                                          "7",
                                          "<think>3 + 4</think> <answer>7</answer>",
                                          "\\boxed{7}",
                                          "#### 8",
                                          "<answer>",
                                          "</answer><answer></think>",
                                          "\\boxed{",
                                          "\\frac{7}{",
                                          "\xff\xfe\xc3",
                                          std::string(1, '\0'),
                                          "\u4e03 \U0001f600",
                                          std::string(20000, '{'),
                                          std::string(20000, '9'),
                                          std::string(20000, '\\')};
  for (const std::string piece : {"<think>", "\\boxed{7} ", "<answer>7</answer>", "#### 7\n", "7/", "1,000", "word ", "\\text{"}) {
    std::string& repeated = completions.emplace_back();
    for (int i = 0; i < 1000; ++i) repeated += piece;
  }
  Random random({1}, "completions");
  for (int i = 0; i < 200; ++i) {
    std::string& noise = completions.emplace_back();
    static const std::string kCharacters = "0123456789.,-+/ $\\{}()[]<>^_&#abtexfrcnsw\n";
    for (std::uint64_t size = random.below(80); size > 0; --size) noise += kCharacters[random.below(kCharacters.size())];
    if (i % 2 == 0) noise = "<answer>" + noise + "</answer>";
  }
  std::vector<Answer> answers;
  for (const std::string& completion : completions) answers.push_back({"How many are 3 and 4?", completion, "7"});
  return answers;
}

TEST_P(RewardConformance, GivesEveryAnswerAScoreInRange) {
  const std::vector<Answer> judged = answers();
  const std::vector<double> scores = reward_->scores(judged);
  ASSERT_EQ(scores.size(), judged.size());
  for (const double score : scores) {
    EXPECT_TRUE(std::isfinite(score));
    EXPECT_LE(std::abs(score), 1);
  }
  EXPECT_GT(std::set<double>(scores.begin(), scores.end()).size(), 1) << "all answers are worth the same";
  EXPECT_TRUE(reward_->scores({}).empty());
}

TEST_P(RewardConformance, JudgesEveryAnswerAlone) {
  const std::vector<Answer> judged = answers();
  const std::vector<double> scores = reward_->scores(judged);
  for (std::size_t i = 0; i < judged.size(); ++i) EXPECT_EQ(reward_->scores({&judged[i], 1}).at(0), scores[i]) << judged[i].completion;
  EXPECT_EQ(make_reward({GetParam()->name, {}})->scores(judged), scores);
}

TEST_P(RewardConformance, RejectsUnknownOptions) {
  EXPECT_THROW(make_reward({GetParam()->name, {.values = {{"no_such_option", true}}, .tables = {}}}), Error);
}

INSTANTIATE_TEST_SUITE_P(All, RewardConformance, testing::ValuesIn(text_rewards()), [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
