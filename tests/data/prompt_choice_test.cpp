// Which prompts are evaluated, and which client has which.
#include "paretofl/data/prompt_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "paretofl/core/error.h"
#include "tests/data/byte_prompts.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

/// `copies` of each of `count` texts, one after another, of a source.
void add_copies(std::vector<Prompt>& prompts, std::uint32_t source, std::size_t count, std::size_t copies) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < copies; ++c) {
      prompts.push_back({.text = std::to_string(source) + "." + std::to_string(i), .ids = {}, .source = source});
    }
  }
}

std::vector<std::string> texts_in_order(const std::vector<Prompt>& prompts) {
  std::vector<std::string> texts;
  for (const Prompt& prompt : prompts) texts.push_back(prompt.text);
  return texts;
}

std::map<std::uint32_t, std::size_t> counts_by_source(const std::vector<Prompt>& prompts) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const Prompt& prompt : prompts) ++counts[prompt.source];
  return counts;
}

/// How many of the second client's prompts the first one has too, as a share.
double overlap(const std::vector<std::vector<Prompt>>& dealt) {
  const std::vector<std::string> first = texts_in_order(dealt.at(0));
  const std::set<std::string> known(first.begin(), first.end());
  double common = 0;
  for (const Prompt& prompt : dealt.at(1)) common += known.contains(prompt.text) ? 1 : 0;
  return common / static_cast<double>(dealt.at(1).size());
}

TEST(PromptChoice, EvaluatesDistinctPromptsOfAllSourcesAlike) {
  std::vector<Prompt> prompts;
  add_copies(prompts, 0, 20, 4);
  add_copies(prompts, 1, 12, 1);
  add_copies(prompts, 2, 2, 3);
  const std::vector<Prompt> chosen = distinct_prompts_by_source(prompts, 12);
  EXPECT_THAT(texts_in_order(chosen), ElementsAre("0.0", "0.4", "0.8", "0.12", "0.16", "1.0", "1.2", "1.4", "1.7", "1.9", "2.0", "2.1"));
  const std::vector<Prompt> all = distinct_prompts_by_source(prompts, 1000);
  EXPECT_THAT(counts_by_source(all), ElementsAre(std::pair(0U, 20U), std::pair(1U, 12U), std::pair(2U, 2U)));
  EXPECT_THAT(texts_in_order(distinct_prompts_by_source(prompts, 1)), testing::SizeIs(1));
}

TEST(PromptChoice, ATextOfSeveralSourcesCountsForTheFirst) {
  std::vector<Prompt> prompts{
      {.text = "a", .ids = {}, .source = 1}, {.text = "a", .ids = {}, .source = 0}, {.text = "b", .ids = {}, .source = 0}};
  const std::vector<Prompt> chosen = distinct_prompts_by_source(prompts, 10);
  EXPECT_THAT(texts_in_order(chosen), ElementsAre("a", "b"));
  EXPECT_EQ(chosen[0].source, 1U);
}

TEST(PromptChoice, NoTwoClientsHaveADistinctPromptInCommon) {
  std::vector<Prompt> prompts;
  add_copies(prompts, 0, 30, 4);
  add_copies(prompts, 1, 9, 2);
  const auto by_prompt = deal_prompts(prompts, {.clients = 5}, 3);
  std::multiset<std::string> all;
  for (const auto& client : by_prompt) {
    std::set<std::string> own;
    for (const Prompt& prompt : client) {
      all.insert(prompt.text);
      own.insert(prompt.text);
    }
    EXPECT_GE(own.size(), 7U);
    EXPECT_LE(own.size(), 8U);
  }
  EXPECT_EQ(all.size(), prompts.size()) << "every copy is dealt";
  EXPECT_EQ(overlap(by_prompt), 0);
  EXPECT_GT(overlap(deal_prompts(prompts, {.clients = 5, .by_distinct_prompt = false}, 3)), 0.2);
}

// So that runs on prompts without copies keep their bits.
TEST(PromptChoice, OfDistinctPromptsBothDealsAreTheSame) {
  std::vector<Prompt> prompts;
  add_copies(prompts, 0, 23, 1);
  add_copies(prompts, 1, 11, 1);
  for (const bool dirichlet : {false, true}) {
    const auto by_prompt = deal_prompts(prompts, {.clients = 4, .dirichlet = dirichlet}, 5);
    const auto by_pair = deal_prompts(prompts, {.clients = 4, .dirichlet = dirichlet, .by_distinct_prompt = false}, 5);
    for (std::size_t client = 0; client < 4; ++client) EXPECT_EQ(texts_in_order(by_prompt[client]), texts_in_order(by_pair[client]));
  }
}

TEST(PromptChoice, RefusesMoreClientsThanDistinctPrompts) {
  std::vector<Prompt> prompts;
  add_copies(prompts, 0, 3, 5);
  EXPECT_THAT([&] { deal_prompts(prompts, {.clients = 4}, 1); },
              testing::ThrowsMessage<Error>("workload.clients: expected at most one client per prompt, 3, found 4"));
  EXPECT_EQ(deal_prompts(prompts, {.clients = 4, .by_distinct_prompt = false}, 1).size(), 4U);
}

// On the dialogues of experiments/firm: what the first held-out prompts are, and how much two of eight clients have in common.
TEST(PromptChoice, OfPublishedDialogues) {
  PARETOFL_NEEDS_DATA("hh");
  const std::vector<std::filesystem::path> files{data_folder() / "hh/helpful-pairs.jsonl.gz",
                                                 data_folder() / "hh/harmless-base-test.jsonl.gz"};
  const PromptSet set = read_prompts(files, bytes_of_at_most(400));
  const std::vector<Prompt> first(set.held_out.begin(), set.held_out.begin() + 128);
  const std::vector<std::string> texts = texts_in_order(first);
  EXPECT_EQ(counts_by_source(first).at(0), 128U) << "all of the first file";
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), 36U);
  const std::vector<Prompt> chosen = distinct_prompts_by_source(set.held_out, 128);
  const std::vector<std::string> distinct = texts_in_order(chosen);
  EXPECT_EQ(std::set<std::string>(distinct.begin(), distinct.end()).size(), 128U);
  EXPECT_THAT(counts_by_source(chosen), ElementsAre(std::pair(0U, 38U), std::pair(1U, 90U))) << "the first file holds out no more";
  EXPECT_NEAR(overlap(deal_prompts(set.training, {.clients = 8, .by_distinct_prompt = false}, 1)), 0.404, 0.001);
  EXPECT_EQ(overlap(deal_prompts(set.training, {.clients = 8}, 1)), 0);
}

}  // namespace
}  // namespace paretofl
