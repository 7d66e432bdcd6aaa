#include "paretofl/runtimes/replies_in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/runtimes/starting_order.h"

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
  RepliesInOrder order(replies, on_reply, small_envelopes(4), 1, {});
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
  RepliesInOrder order(replies, on_reply, small_envelopes(3), 1, {});
  for (int client = 0; client < 3; ++client) EXPECT_NO_THROW(order.arrived(static_cast<std::size_t>(client), from(client)));
  EXPECT_EQ(passed, 1);
  EXPECT_THROW(order.finish(), Error);
}

TEST(RepliesInOrder, RequestsStartAtMostAWindowAhead) {
  std::vector<Reply> replies(9);
  const OnReply on_reply = [](Reply&) {};
  RepliesInOrder order(replies, on_reply, large_envelopes(9), 2, {});
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
  EXPECT_TRUE(RepliesInOrder(replies, on_reply, small_envelopes(1000), 1, {}).may_start(999));
  const OnReply nobody;
  std::vector<Reply> large(9);
  EXPECT_TRUE(RepliesInOrder(large, nobody, large_envelopes(9), 1, {}).may_start(8));
}

TEST(RepliesInOrder, NobodyWaitsForAReplyThatWillNotArrive) {
  std::vector<Reply> replies(9);
  const OnReply on_reply = [](Reply&) {};
  RepliesInOrder order(replies, on_reply, large_envelopes(9), 1, {});
  std::thread waiting([&] { order.wait_for_turn(8); });
  order.stop_waiting();
  waiting.join();
}

TEST(RepliesInOrder, EndsAfterEnoughAnswers) {
  std::vector<Reply> replies(5);
  std::vector<int> passed;
  const OnReply on_reply = [&](Reply& reply) { passed.push_back(reply.client); };
  std::vector<Envelope> envelopes = small_envelopes(5);
  for (int client = 0; client < 5; ++client) envelopes[static_cast<std::size_t>(client)].client = client;
  RepliesInOrder order(replies, on_reply, envelopes, 1, {.enough = 2});
  EXPECT_TRUE(order.arrived(3, from(3)));
  Reply failed = from(1);
  failed.error = "no";
  EXPECT_TRUE(order.arrived(1, failed)) << "a failure is none of the answers";
  EXPECT_FALSE(order.over());
  EXPECT_TRUE(passed.empty());
  EXPECT_TRUE(order.wait_for_turn(2));
  EXPECT_TRUE(order.arrived(2, from(2)));
  EXPECT_TRUE(order.over());
  EXPECT_THAT(passed, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_FALSE(order.wait_for_turn(4)) << "it need not start";
  EXPECT_FALSE(order.arrived(4, from(4)));
  EXPECT_EQ(replies[4], Reply::late(4, Lateness::kEnough));
  EXPECT_EQ(replies[0], Reply::late(0, Lateness::kEnough));
  EXPECT_EQ(replies[2], from(2));
  EXPECT_EQ(replies[1].lateness, Lateness::kInTime);
}

TEST(RepliesInOrder, EndsAtTheDeadline) {
  std::vector<Reply> replies(2);
  const OnReply nobody;
  RepliesInOrder far(replies, nobody, small_envelopes(2), 1, {.deadline = std::chrono::hours(1)});
  EXPECT_FALSE(far.over());
  EXPECT_TRUE(far.arrived(0, from(0)));
  EXPECT_FALSE(far.over());
  RepliesInOrder never(replies, nobody, small_envelopes(2), 1, {.deadline = std::chrono::duration<double>(1e300)});
  EXPECT_FALSE(never.over());
  RepliesInOrder passed(replies, nobody, small_envelopes(2), 1, {.deadline = std::chrono::duration<double>(0)});
  EXPECT_FALSE(passed.arrived(0, from(0)));
  EXPECT_TRUE(passed.over());
  EXPECT_EQ(replies[0], Reply::late(0, Lateness::kDeadline));
}

TEST(RepliesInOrder, OneThatIsGivenUpIsLate) {
  std::vector<Reply> replies(2);
  std::vector<Lateness> passed;
  const OnReply on_reply = [&](Reply& reply) { passed.push_back(reply.lateness); };
  RepliesInOrder order(replies, on_reply, small_envelopes(2), 1, {.deadline = std::chrono::hours(1)});
  order.give_up(0);
  order.give_up(0);
  EXPECT_TRUE(order.is_here(0));
  EXPECT_FALSE(order.is_here(1));
  EXPECT_FALSE(order.arrived(0, from(0)));
  EXPECT_TRUE(order.arrived(1, from(0)));
  EXPECT_THAT(passed, ElementsAre(Lateness::kDeadline, Lateness::kInTime));
  EXPECT_TRUE(order.over());
}

TEST(RepliesInOrder, WhereAnExchangeMayEndEarlyNobodyWaitsForMemory) {
  std::vector<Reply> replies(9);
  const OnReply on_reply = [](Reply&) {};
  EXPECT_TRUE(RepliesInOrder(replies, on_reply, large_envelopes(9), 1, {.enough = 8}).may_start(8));
  EXPECT_TRUE(RepliesInOrder(replies, on_reply, large_envelopes(9), 1, {.deadline = std::chrono::hours(1)}).may_start(8));
  EXPECT_FALSE(RepliesInOrder(replies, on_reply, large_envelopes(9), 1, {.enough = 9}).may_start(8));
}

TEST(StartingOrder, IsDrawnWhereAnExchangeMayEndEarly) {
  std::vector<Envelope> envelopes = small_envelopes(20);
  const auto all = starting_order(envelopes, {});
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_EQ(all.size(), 20U);
  const auto order = starting_order(envelopes, {.enough = 19});
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  EXPECT_THAT(order, testing::UnorderedElementsAreArray(all));
  EXPECT_EQ(starting_order(envelopes, {.deadline = std::chrono::hours(1)}), order) << "from the request alone";
  envelopes.front().request.round = 2;
  EXPECT_NE(starting_order(envelopes, {.enough = 19}), order);
  EXPECT_TRUE(starting_order({}, {.deadline = std::chrono::hours(1)}).empty());
}

}  // namespace
}  // namespace paretofl
