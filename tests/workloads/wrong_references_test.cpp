#include "paretofl/workloads/wrong_references.h"

#include <gmock/gmock.h>

#include <set>

#include "paretofl/workloads/reasoning.h"

namespace paretofl {
namespace {

std::vector<Prompt> numbered_prompts(std::size_t count) {
  std::vector<Prompt> prompts(count);
  for (std::size_t i = 0; i < count; ++i) prompts[i].reference = std::to_string(i);
  return prompts;
}

TEST(WrongReferences, AShareOfThePromptsHasThoseOfOthers) {
  for (const auto& [share, wrong] : {std::pair{0.0, 0U}, {0.3, 3U}, {0.26, 3U}, {1.0, 10U}}) {
    std::vector<Prompt> prompts = numbered_prompts(10);
    mix_references(prompts, share, Random({1, 0, 0}, "test"));
    std::size_t moved = 0;
    std::set<std::string> references;
    for (std::size_t i = 0; i < 10; ++i) {
      moved += prompts[i].reference != std::to_string(i);
      references.insert(prompts[i].reference);
    }
    EXPECT_EQ(moved, wrong) << share;
    EXPECT_EQ(references.size(), 10U) << "every reference is still there";
  }
}

TEST(WrongReferences, AreOfTheClientsThatTheSharesSay) {
  ReasoningOptions options;
  options.clients = 4;
  options.tasks = {{"sums", {"sums", {{{"training_questions", std::int64_t{200}}}, {}}}}};
  options.wrong_references = {0, 0.5};
  const Reasoning workload(options, {.seed = 1, .data_root = {}});
  options.wrong_references = {};
  const Reasoning honest(options, {.seed = 1, .data_root = {}});
  for (int client = 0; client < 4; ++client) {
    const auto& mixed = dynamic_cast<const RewardQuestions&>(workload.task(client)).texts().prompts();
    const auto& right = dynamic_cast<const RewardQuestions&>(honest.task(client)).texts().prompts();
    ASSERT_EQ(mixed.size(), 50U);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 50; ++i) {
      EXPECT_EQ(mixed[i].text, right[i].text);
      wrong += mixed[i].reference != right[i].reference;
    }
    if (client % 2 == 0) {
      EXPECT_EQ(wrong, 0U);
    } else {
      EXPECT_LE(wrong, 25U);
      EXPECT_GE(wrong, 20U) << "two questions may have the same answer";
    }
    EXPECT_EQ(workload.task(client).held_out()->num_prompts(), honest.task(client).held_out()->num_prompts());
  }
}

}  // namespace
}  // namespace paretofl
