#include "paretofl/environments/action_list_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

const ActionSpace kDiscrete{.choices = 4, .low = {}, .high = {}};
const ActionSpace kBox{.choices = 0, .low = {-1, -1}, .high = {1, 1}};

std::string error_of(const std::string& text, const ActionSpace& space) {
  try {
    parse_actions(text, "moves", space);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ActionList, IsReadRowByRow) {
  EXPECT_THAT(parse_actions("[3, 0, 1.0]", "moves", kDiscrete), ElementsAre(3, 0, 1));
  EXPECT_THAT(parse_actions("[[1, -2], [0.5, 0]]", "moves", kBox), ElementsAre(1, -2, 0.5, 0));
  EXPECT_THAT(parse_actions("[]", "moves", kBox), ElementsAre());
}

TEST(ActionList, SaysWhichActionIsIllegal) {
  EXPECT_EQ(error_of("[0, 4]", kDiscrete), "moves: action 1: expected an integer action from 0 to 3, found 4");
  EXPECT_EQ(error_of("[0, [1]]", kDiscrete), "moves: action 1: expected a number, found array");
  EXPECT_EQ(error_of("[null]", kDiscrete), "moves: action 0: expected a number, found null");
  EXPECT_EQ(error_of("{\"a\": 1}", kDiscrete), "moves: expected a list of actions, found object");
  EXPECT_EQ(error_of("[[0, 0], [0]]", kBox), "moves: action 1: expected an action of 2 numbers, found 1");
  EXPECT_EQ(error_of("[1]", kBox), "moves: action 0: expected a list of 2 numbers, found number");
  EXPECT_THAT(error_of("[NaN]", kDiscrete), testing::StartsWith("moves: expected JSON, found: "));
  EXPECT_THAT(error_of("[1e999]", kBox), testing::StartsWith("moves: expected numbers that a double holds, found '1e999'"));
}

}  // namespace
}  // namespace paretofl
