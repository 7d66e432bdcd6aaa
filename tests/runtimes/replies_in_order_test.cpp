#include "paretofl/runtimes/replies_in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
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

std::vector<Envelope> envelopes_with(std::size_t count, std::size_t parameters) {
  std::vector<Envelope> envelopes(count);
  const auto theta = std::make_shared<const std::vector<float>>(parameters);
  for (Envelope& envelope : envelopes) envelope.request.parameters = theta;
  return envelopes;
}
std::vector<Envelope> small_envelopes(std::size_t count) { return envelopes_with(count, 100); }
/// So large that only the threads' own replies may wait.
std::vector<Envelope> large_envelopes(std::size_t count) { return envelopes_with(count, std::size_t{1} << 25U); }

TEST(RepliesInOrder, PassesOnWhatNothingIsMissingBefore) {
  std::vector<Reply> replies(4);
  std::vector<int> passed;
  const OnReply on_reply = [&](Reply& reply) { passed.push_back(reply.client); };
  RepliesInOrder order(replies, on_reply, small_envelopes(4), 1);
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
  RepliesInOrder order(replies, on_reply, small_envelopes(3), 1);
  for (int client = 0; client < 3; ++client) EXPECT_NO_THROW(order.arrived(static_cast<std::size_t>(client), from(client)));
  EXPECT_EQ(passed, 1);
  EXPECT_THROW(order.finish(), Error);
}

TEST(RepliesInOrder, RequestsStartAtMostAWindowAhead) {
  std::vector<Reply> replies(9);
  const OnReply on_reply = [](Reply&) {};
  RepliesInOrder order(replies, on_reply, large_envelopes(9), 2);
  EXPECT_TRUE(order.may_start(3));
  EXPECT_FALSE(order.may_start(4));
  std::atomic<bool> started = false;
  std::thread waiting([&] {
    order.wait_for_turn(4);
    started = true;
  });
  order.arrived(1, from(1));
  EXPECT_FALSE(started);
  EXPECT_FALSE(order.may_start(4));
  order.arrived(0, from(0));
  waiting.join();
  EXPECT_TRUE(order.may_start(5));
  EXPECT_FALSE(order.may_start(6));
}

TEST(RepliesInOrder, SmallRepliesAndThoseThatNobodyTakesWaitWithoutALimit) {
  std::vector<Reply> replies(1000);
  const OnReply on_reply = [](Reply&) {};
  EXPECT_TRUE(RepliesInOrder(replies, on_reply, small_envelopes(1000), 1).may_start(999));
  const OnReply nobody;
  std::vector<Reply> large(9);
  EXPECT_TRUE(RepliesInOrder(large, nobody, large_envelopes(9), 1).may_start(8));
}

TEST(RepliesInOrder, NobodyWaitsForAReplyThatWillNotArrive) {
  std::vector<Reply> replies(9);
  const OnReply on_reply = [](Reply&) {};
  RepliesInOrder order(replies, on_reply, large_envelopes(9), 1);
  std::thread waiting([&] { order.wait_for_turn(8); });
  order.stop_waiting();
  waiting.join();
}

}  // namespace
}  // namespace paretofl
