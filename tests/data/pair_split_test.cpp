#include "paretofl/data/pair_split.h"

#include <gmock/gmock.h>

#include <map>
#include <numeric>
#include <set>

#include "paretofl/core/random.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

DimensionPair pair_on(const std::string& dimension, std::size_t prompt) {
  return {.dimension = dimension, .prompt = "p" + std::to_string(prompt), .chosen = "x", .rejected = "y"};
}

/// The distinct prompts of each dimension.
std::map<std::string, std::set<std::string>> prompts_by_dimension(const std::vector<DimensionPair>& pairs) {
  std::map<std::string, std::set<std::string>> prompts;
  for (const DimensionPair& pair : pairs) prompts[pair.dimension].insert(pair.prompt);
  return prompts;
}

TEST(PairSplit, HoldsOutTheSameShareOfEqualPromptsInAnyOrder) {
  for (const std::int64_t every : {2, 5, 10}) {
    std::vector<DimensionPair> pairs;
    for (std::size_t k = 0; k < 5; ++k) {
      std::vector<std::size_t> order(400);
      std::iota(order.begin(), order.end(), std::size_t{0});
      Random({k}, "order").shuffle(std::span(order));
      for (const std::size_t prompt : order) pairs.push_back(pair_on("d" + std::to_string(k), prompt));
    }
    const PairSplit split = hold_out_pairs(pairs, every);
    EXPECT_THAT(split.held_out, SizeIs(2000 / static_cast<std::size_t>(every))) << every;
    EXPECT_THAT(split.training, SizeIs(2000 - split.held_out.size())) << every;
  }
}

TEST(PairSplit, HoldsOutTheLastOfEachSoManyPromptsOfADimensionAlone) {
  std::vector<DimensionPair> pairs;
  for (std::size_t i = 0; i < 12; ++i) {
    pairs.push_back(pair_on("a", i));
    pairs.push_back(pair_on("b", 100 + i));
    pairs.push_back(pair_on("a", i / 2));  // no new prompt
  }
  const auto held_out = prompts_by_dimension(hold_out_pairs(pairs, 4).held_out);
  EXPECT_EQ(held_out.at("a"), (std::set<std::string>{"p3", "p7", "p11"}));
  EXPECT_EQ(held_out.at("b"), (std::set<std::string>{"p103", "p107", "p111"}));
}

TEST(PairSplit, DimensionsWithSomePromptsInCommonAreNearTheirShare) {
  // Every tenth prompt of a, which would be the one that a holds out, is also one of b; c has ten prompts, all of them b's.
  std::vector<DimensionPair> pairs;
  for (std::size_t i = 0; i < 1000; ++i) pairs.push_back(pair_on("a", i));
  for (std::size_t i = 0; i < 100; ++i) pairs.push_back(pair_on("b", 10 * i + 9));
  for (std::size_t i = 0; i < 10; ++i) pairs.push_back(pair_on("c", 100 * i + 9));
  const PairSplit split = hold_out_pairs(pairs, 10);
  const auto held_out = prompts_by_dimension(split.held_out);
  EXPECT_THAT(held_out.at("a"), SizeIs(AllOf(Ge(95), Le(105))));
  EXPECT_THAT(held_out.at("b"), SizeIs(AllOf(Ge(8), Le(12))));
  EXPECT_THAT(held_out.at("c"), SizeIs(AllOf(Ge(1), Le(2))));
  std::set<std::string> outside;
  for (const DimensionPair& pair : split.held_out) outside.insert(pair.prompt);
  for (const DimensionPair& pair : split.training) EXPECT_FALSE(outside.contains(pair.prompt)) << pair.prompt;
}

TEST(PairSplit, PromptsOfOtherPairsAreTakenAway) {
  std::vector<DimensionPair> training = {pair_on("a", 1), pair_on("a", 2), pair_on("b", 1), pair_on("b", 3)};
  EXPECT_EQ(remove_held_out(training, {pair_on("c", 1), pair_on("a", 9)}), 2U);
  EXPECT_EQ(training, (std::vector<DimensionPair>{pair_on("a", 2), pair_on("b", 3)}));
  EXPECT_EQ(remove_held_out(training, std::vector(training)), 2U);
  EXPECT_THAT(training, IsEmpty());
}

}  // namespace
}  // namespace paretofl
