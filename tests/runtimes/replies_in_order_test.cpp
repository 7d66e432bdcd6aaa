#include "paretofl/runtimes/replies_in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

Reply from(int client) {
  Reply reply;
  reply.client = client;
  return reply;
}

TEST(RepliesInOrder, PassesOnWhatNothingIsMissingBefore) {
  std::vector<Reply> replies(4);
  std::vector<int> passed;
  const OnReply on_reply = [&](Reply& reply) { passed.push_back(reply.client); };
  RepliesInOrder order(replies, on_reply, 4);
  order.arrived(2, from(2));
  order.arrived(1, from(1));
  EXPECT_TRUE(passed.empty());
  order.arrived(0, from(0));
  EXPECT_THAT(passed, ElementsAre(0, 1, 2));
  order.arrived(3, from(3));
  EXPECT_THAT(passed, ElementsAre(0, 1, 2, 3));
  EXPECT_NO_THROW(order.finish());
}

TEST(RepliesInOrder, StopsAtAnExceptionAndThrowsItInTheEnd) {
  std::vector<Reply> replies(3);
  int passed = 0;
  const OnReply on_reply = [&](Reply&) {
    ++passed;
    throw Error("refused");
  };
  RepliesInOrder order(replies, on_reply, 3);
  for (int client = 0; client < 3; ++client) EXPECT_NO_THROW(order.arrived(static_cast<std::size_t>(client), from(client)));
  EXPECT_EQ(passed, 1);
  EXPECT_THROW(order.finish(), Error);
}

// Each thread takes the next index, as a pool's threads do.
TEST(RepliesInOrder, ThreadsGetAtMostAWindowAhead) {
  constexpr std::size_t kReplies = 200;
  constexpr std::size_t kWindow = 3;
  std::vector<Reply> replies(kReplies);
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> passed = 0;
  std::atomic<std::size_t> furthest = 0;
  const OnReply on_reply = [&](Reply& reply) {
    EXPECT_EQ(static_cast<std::size_t>(reply.client), passed);
    ++passed;
  };
  RepliesInOrder order(replies, on_reply, kWindow);
  const auto work = [&] {
    for (std::size_t index = next++; index < kReplies; index = next++) {
      order.wait_for_turn(index);
      const std::size_t ahead = index - std::min(index, passed.load());
      for (std::size_t seen = furthest; seen < ahead && !furthest.compare_exchange_weak(seen, ahead);) {
      }
      order.arrived(index, from(static_cast<int>(index)));
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, kReplies);
  EXPECT_LT(furthest, kWindow);
}

TEST(RepliesInOrder, NobodyWaitsForAReplyThatWillNotArrive) {
  std::vector<Reply> replies(9);
  const OnReply on_reply = [](Reply&) {};
  RepliesInOrder order(replies, on_reply, 1);
  std::thread waiting([&] { order.wait_for_turn(8); });
  order.stop_waiting();
  waiting.join();
}

}  // namespace
}  // namespace paretofl
