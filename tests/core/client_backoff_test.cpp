#include "paretofl/core/client_backoff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

bool sits_out(const ClientBackoff& backoff, int client, std::uint32_t round) {
  const std::vector<int> available = backoff.available(client + 1, round, 0);
  return std::find(available.begin(), available.end(), client) == available.end();
}

TEST(ClientBackoff, NobodySitsOutAtFirst) { EXPECT_THAT(ClientBackoff().available(4, 1, 0), ElementsAre(0, 1, 2, 3)); }

TEST(ClientBackoff, PausesDoubleUpToALongestOne) {
  ClientBackoff backoff;
  std::uint32_t round = 5;
  for (const std::uint32_t pause : {1, 2, 4, 8, 16, 32, 64, 64, 64}) {
    backoff.missed(2, round);
    for (std::uint32_t later = 1; later <= pause; ++later) ASSERT_TRUE(sits_out(backoff, 2, round + later)) << pause << " " << later;
    round += pause + 1;
    ASSERT_FALSE(sits_out(backoff, 2, round)) << pause;
    EXPECT_FALSE(sits_out(backoff, 1, round));
  }
}

TEST(ClientBackoff, AnAnswerClearsTheMisses) {
  ClientBackoff backoff;
  for (std::uint32_t round : {1, 3, 6}) backoff.missed(0, round);
  backoff.answered(0);
  EXPECT_EQ(backoff, ClientBackoff());
  backoff.missed(0, 20);
  EXPECT_TRUE(sits_out(backoff, 0, 21));
  EXPECT_FALSE(sits_out(backoff, 0, 22));
}

TEST(ClientBackoff, ThoseWhoComeBackSoonestFillUp) {
  ClientBackoff backoff;
  backoff.missed(0, 1);
  backoff.missed(0, 3);  // back in round 6
  backoff.missed(1, 3);  // back in round 5
  backoff.missed(3, 3);
  EXPECT_THAT(backoff.available(5, 4, 0), ElementsAre(2, 4));
  EXPECT_THAT(backoff.available(5, 4, 2), ElementsAre(2, 4));
  EXPECT_THAT(backoff.available(5, 4, 3), ElementsAre(1, 2, 4)) << "of equals those with the smallest ids";
  EXPECT_THAT(backoff.available(5, 4, 4), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(backoff.available(5, 4, 5), ElementsAre(0, 1, 2, 3, 4));
}

TEST(ClientBackoff, IsSavedAndLoaded) {
  ClientBackoff backoff;
  backoff.missed(1, 3);
  backoff.missed(1, 5);
  backoff.missed(7, 4000000000U);
  ClientBackoff loaded;
  loaded.missed(2, 1);
  loaded.load(backoff.save(), 8);
  EXPECT_EQ(loaded, backoff);
  loaded.load(ClientBackoff().save(), 8);
  EXPECT_EQ(loaded, ClientBackoff());
}

TEST(ClientBackoff, RefusesWhatNobodySaves) {
  using Rows = std::vector<std::int64_t>;
  ClientBackoff backoff;
  EXPECT_THROW(backoff.load({}, 8), Error);
  for (const Rows& row : {Rows{8, 1, 1}, Rows{-1, 1, 1}, Rows{0, 0, 1}, Rows{0, 8, 1}, Rows{0, 1, 0}, Rows{0, 1, std::int64_t{1} << 40}}) {
    Record state;
    state.arrays.emplace("misses", Array(std::span<const std::int64_t>(row), {1, 3}));
    EXPECT_THROW(backoff.load(state, 8), Error) << testing::PrintToString(row);
  }
  Record flat;
  flat.arrays.emplace("misses", Array(std::span<const std::int64_t>(Rows{1, 1, 1})));
  EXPECT_THROW(backoff.load(flat, 8), Error);
}

}  // namespace
}  // namespace paretofl
