#include "paretofl/data/wrong_references.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace
}  // namespace paretofl
