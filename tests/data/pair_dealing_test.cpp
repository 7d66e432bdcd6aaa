#include "paretofl/data/pair_dealing.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::ThrowsMessage;

using DealtPairs = std::vector<std::vector<std::vector<std::uint32_t>>>;

/// "p0" and so on, kept for the views of them.
std::string_view numbered_prompt(std::size_t number) {
  static std::vector<std::string> prompts = [] {
    std::vector<std::string> made;
    for (int i = 0; i < 1000; ++i) made.push_back("p" + std::to_string(i));
    return made;
  }();
  return prompts.at(number);
}

/// The clients of each prompt, over all dimensions.
std::map<std::string_view, std::set<std::size_t>> clients_of_prompts(const std::vector<std::vector<std::string_view>>& prompts,
                                                                     const DealtPairs& dealt) {
  std::map<std::string_view, std::set<std::size_t>> clients_of;
  for (std::size_t client = 0; client < dealt.size(); ++client) {
    for (std::size_t k = 0; k < prompts.size(); ++k) {
      for (const std::uint32_t number : dealt[client][k]) clients_of[prompts[k][number]].insert(client);
    }
  }
  return clients_of;
}

TEST(PairDealing, ClientsHoldDimensionsInACircle) {
  EXPECT_THAT(dealt_dimensions({3, 1}, 2), ElementsAre(ElementsAre(true, false), ElementsAre(false, true), ElementsAre(true, false)));
  EXPECT_THAT(dealt_dimensions({2, 2}, 3), ElementsAre(ElementsAre(true, true, false), ElementsAre(false, true, true)));
  EXPECT_THAT(dealt_dimensions({1, 0}, 2), ElementsAre(ElementsAre(true, true)));
}

TEST(PairDealing, EveryDimensionNeedsAClient) {
  EXPECT_THAT(
      [] {
        dealt_dimensions({2, 2}, 4);
      },
      ThrowsMessage<Error>(HasSubstr("workload.clients: expected at least 3, so that each of 4 dimensions has a client, found 2")));
  EXPECT_THAT(
      [] {
        deal_pairs({{"p"}, {"q"}}, {"a", "b"}, {.clients = 1, .dimensions_per_client = 1}, 1);
      },
      ThrowsMessage<Error>(HasSubstr("expected at least 2, so that each of 2 dimensions has a client, found 1")));
  EXPECT_THAT(dealt_dimensions({3, 2}, 4), SizeIs(3));
}

TEST(PairDealing, APromptGoesToOneClientInEveryDimension) {
  std::vector<std::vector<std::string_view>> prompts(2);
  for (std::size_t i = 0; i < 60; ++i) {
    prompts[0].push_back(numbered_prompt(i % 20));
    prompts[1].push_back(numbered_prompt((i + 7) % 20));
  }
  const DealtPairs dealt = deal_pairs(prompts, {"a", "b"}, {.clients = 4}, 5);
  std::set<std::uint32_t> all;
  for (std::size_t client = 0; client < 4; ++client) {
    EXPECT_THAT(dealt[client], Each(SizeIs(15)));
    all.insert(dealt[client][0].begin(), dealt[client][0].end());
  }
  for (const auto& [prompt, clients] : clients_of_prompts(prompts, dealt)) EXPECT_THAT(clients, SizeIs(1)) << prompt;
  EXPECT_THAT(all, SizeIs(60));
  EXPECT_NE(deal_pairs(prompts, {"a", "b"}, {.clients = 4}, 6), dealt);
  EXPECT_THAT(deal_pairs(prompts, {"a", "b"}, {.clients = 2, .dimensions_per_client = 1}, 5)[0][1], IsEmpty());
}

TEST(PairDealing, APromptThatSomeDimensionsHaveGoesToOneClient) {
  std::vector<std::vector<std::string_view>> prompts(4);
  for (std::size_t i = 0; i < 40; ++i) prompts[0].push_back(numbered_prompt(i));
  for (std::size_t i = 1; i < 60; ++i) prompts[1].push_back(numbered_prompt(i));
  for (std::size_t i = 0; i < 24; ++i) prompts[2].push_back(numbered_prompt(5 * i));
  for (std::size_t i = 0; i < 70; ++i) prompts[3].push_back(numbered_prompt(i * 3 % 50));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const DealtPairs dealt = deal_pairs(prompts, {"a", "b", "c", "d"}, {.clients = 8}, seed);
    for (const auto& [prompt, clients] : clients_of_prompts(prompts, dealt)) EXPECT_THAT(clients, SizeIs(1)) << prompt;
    for (std::size_t k = 0; k < 4; ++k) {
      std::size_t sum = 0;
      for (const auto& of_client : dealt) {
        EXPECT_THAT(of_client[k], Not(IsEmpty()));
        sum += of_client[k].size();
      }
      EXPECT_EQ(sum, prompts[k].size());
    }
  }
}

TEST(PairDealing, NoClientIsLeftWithoutADimension) {
  // The prompts of c are all dealt as prompts of a and b, by chance all to one client.
  const std::vector<std::vector<std::string_view>> prompts = {{"1", "2", "8"}, {"3", "4", "9"}, {"1", "2", "3"}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const DealtPairs dealt = deal_pairs(prompts, {"a", "b", "c"}, {.clients = 2}, seed);
    for (const auto& of_client : dealt) EXPECT_THAT(of_client, Each(Not(IsEmpty())));
  }
  // Three dimensions, each with two of three prompts: whichever way they go to two clients, one has all prompts of a dimension.
  EXPECT_THAT(
      [] {
        deal_pairs({{"1", "2"}, {"2", "3"}, {"1", "3"}}, {"a", "b", "c"}, {.clients = 2}, 1);
      },
      ThrowsMessage<Error>(HasSubstr("where a prompt goes to one client in all dimensions; found none for 1 of them")));
}

}  // namespace
}  // namespace paretofl
