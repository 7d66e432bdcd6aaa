#include "paretofl/data/prompt_set.h"
#include "tests/data/byte_prompts.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace paretofl {
namespace {

std::set<std::string> texts(const std::vector<Prompt>& prompts) {
  std::set<std::string> found;
  for (const Prompt& prompt : prompts) found.insert(prompt.text);
  return found;
}

TEST(PromptSet, WhatOneFileHoldsOutNoOtherTrainsOn) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "prompt_set";
  std::filesystem::create_directories(folder);
  std::ofstream forward(folder / "forward.jsonl"), backward(folder / "backward.jsonl");
  for (int i = 0; i < 10; ++i) {
    for (auto& [file, number] : std::vector<std::pair<std::ofstream*, int>>{{&forward, i}, {&backward, 9 - i}}) {
      const std::string prompt = "\n\nHuman: " + std::to_string(number) + "\n\nAssistant:";
      *file << nlohmann::json{{"chosen", prompt + " yes"}, {"rejected", prompt + " no"}}.dump() << '\n';
    }
  }
  forward.close();
  backward.close();
  const PromptSet set = read_prompts(std::vector{folder / "forward.jsonl", folder / "backward.jsonl"}, bytes_of_at_most(100));
  EXPECT_THAT(texts(set.held_out), testing::ElementsAre("\n\nHuman: 0\n\nAssistant:", "\n\nHuman: 9\n\nAssistant:"));
  EXPECT_EQ(set.held_out.size(), 4U) << "of both files";
  EXPECT_EQ(set.training.size(), 16U);
  for (const std::string& text : texts(set.training)) EXPECT_FALSE(texts(set.held_out).contains(text)) << text;
}

}  // namespace
}  // namespace paretofl
