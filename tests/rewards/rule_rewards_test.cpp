#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "paretofl/rewards/characters_reward.h"
#include "paretofl/rewards/length_reward.h"
#include "paretofl/rewards/repetition_penalty.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<Answer> answers(const std::vector<std::string>& completions) {
  std::vector<Answer> list;
  for (const std::string& completion : completions) list.push_back({"prompt", completion});
  return list;
}

TEST(LengthReward, FallsOnBothSidesOfTheTarget) {
  const LengthReward reward({.target = 4, .width = 4});
  EXPECT_THAT(reward.scores(answers({"abcd", "ab", "abcdef", "", "abcdefghijk"})), ElementsAre(1, 0.5, 0.5, 0, 0));
}

TEST(LengthReward, CountsCharactersNotBytes) {
  EXPECT_THAT(LengthReward({.target = 4, .width = 4}).scores(answers({"\u00e4\u20ac\U0001f600z"})), ElementsAre(1));
}

TEST(LengthReward, IsOneWithinTheTolerance) {
  const LengthReward reward({.target = 4, .tolerance = 2, .width = 2});
  EXPECT_THAT(reward.scores(answers({"", "a", "ab", "abcd", "abcdef", "abcdefg", "abcdefgh"})), ElementsAre(0, 0.5, 1, 1, 1, 0.5, 0));
}

TEST(LengthReward, CountsWords) {
  const LengthReward reward({.target = 3, .tolerance = 1, .width = 4, .unit = "words"});
  EXPECT_THAT(reward.scores(answers({"", " one ", "two words", "a b\nc\td", "a b c d e f"})), ElementsAre(0.5, 0.75, 1, 1, 0.5));
}

TEST(CharactersReward, IsTheShareFromTheSet) {
  const CharactersReward reward({.set = "ab"});
  EXPECT_THAT(reward.scores(answers({"abba", "abcd", "xyz", ""})), ElementsAre(1, 0.5, 0, 0));
  const CharactersReward accents({.set = "é"});
  EXPECT_THAT(accents.scores(answers({"éé", "èè", "eé"})), ElementsAre(1, 0, 2.0 / 3));
  EXPECT_THAT([] { CharactersReward({.set = ""}); }, ThrowsMessage<Error>(HasSubstr("expected a set of characters")));
}

TEST(RepetitionPenalty, IsMinusTheShareOfRepeatedGroups) {
  const RepetitionPenalty pairs({.n = 2});
  EXPECT_THAT(pairs.scores(answers({"a b c d", "a b  a\nb a", "ab a ba b", "a", ""})), ElementsAre(0, -0.5, 0, 0, 0));
  EXPECT_THAT(RepetitionPenalty({.n = 1}).scores(answers({"x x x x"})), ElementsAre(-0.75));
}

TEST(RepetitionPenalty, StaysAboveMinusOne) {
  EXPECT_THAT(RepetitionPenalty({.n = 4}).scores(answers({"a b c d", "a b c", " \n\t", "a a a a a a a a a a a"})),
              ElementsAre(0, 0, 0, -0.875));
}

TEST(Rewards, AreMadeByName) {
  Settings settings;
  settings.values.emplace("set", "x");
  EXPECT_THAT(make_reward({"characters", settings})->scores(answers({"xxxy"})), ElementsAre(0.75));
  EXPECT_THAT([] { make_reward({"lenght", {}}); }, ThrowsMessage<Error>(HasSubstr("did you mean length?")));
  settings.values.clear();
  settings.values.emplace("unit", "lines");
  EXPECT_THAT([&] { make_reward({"length", settings}); }, ThrowsMessage<Error>(HasSubstr("to be one of characters, words; found 'lines'")));
  EXPECT_THAT([] { make_reward({"reward_model", {}}); }, ThrowsMessage<Error>(HasSubstr("expected the folder of a model, found none")));
}

}  // namespace
}  // namespace paretofl
