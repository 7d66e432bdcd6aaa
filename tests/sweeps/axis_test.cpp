#include "paretofl/sweeps/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Axis, SplitsAtCommas) {
  const Axis axis = parse_axis("strategy.client_lr=0.1, 0.2,0.4");
  EXPECT_EQ(axis.key, "strategy.client_lr");
  EXPECT_THAT(axis.values, ElementsAre("0.1", "0.2", "0.4"));
}

TEST(Axis, CommasInBracketsAndQuotesBelongToAValue) {
  EXPECT_THAT(parse_axis("p=[1,2],[2, 1]").values, ElementsAre("[1,2]", "[2, 1]"));
  EXPECT_THAT(parse_axis("p=\"a,b\",'c,[d'").values, ElementsAre("\"a,b\"", "'c,[d'"));
}

TEST(Axis, RefusesWhatIsNoList) {
  for (const char* text : {"", "lr", "=1,2", "lr=", "lr=1,,2", "lr=1,", "p=[1,2", "p=1]", "p=\"a,b", "lr=1,2,1"}) {
    EXPECT_THAT([&] { parse_axis(text); }, ThrowsMessage<Error>(HasSubstr("--over"))) << text;
  }
}

TEST(Axis, SeedsAreListsAndRanges) {
  EXPECT_EQ(parse_seeds("1..3,7").key, "seed");
  EXPECT_THAT(parse_seeds("1..3,7").values, ElementsAre("1", "2", "3", "7"));
  EXPECT_THAT(parse_seeds("5..5").values, ElementsAre("5"));
  EXPECT_THAT(parse_seeds("9223372036854775806..9223372036854775807").values, ElementsAre("9223372036854775806", "9223372036854775807"));
}

TEST(Axis, RefusesWhatIsNoSeed) {
  for (const char* text : {"", "one", "-1", "1.5", "3..1", "1..", "..3", "1...3", "1..3,2", "0..10000", "99999999999999999999"}) {
    EXPECT_THAT([&] { parse_seeds(text); }, ThrowsMessage<Error>(HasSubstr("--seeds"))) << text;
  }
}

}  // namespace
}  // namespace paretofl
