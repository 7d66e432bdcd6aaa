#include "paretofl/core/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <barrier>
#include <set>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

class ThreadPoolTest : public testing::TestWithParam<std::size_t> {};

TEST_P(ThreadPoolTest, CallsEveryIndexOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const std::size_t count : {0, 1, 2, 3, 1000}) {
    std::vector<int> calls(count);
    pool.for_each(count, [&](std::size_t i) { ++calls[i]; });
    EXPECT_THAT(calls, testing::Each(1));
  }
}

TEST_P(ThreadPoolTest, LoopsCanFollowEachOtherQuickly) {
  ThreadPool pool(GetParam());
  std::size_t sum = 0;
  for (int loop = 0; loop < 2000; ++loop) {
    std::atomic<std::size_t> calls = 0;
    pool.for_each(3, [&](std::size_t i) { calls += i; });
    sum += calls;
  }
  EXPECT_EQ(sum, 6000U);
}

TEST_P(ThreadPoolTest, RethrowsTheFailureOfTheLowestIndexAfterAllAreDone) {
  ThreadPool pool(GetParam());
  std::atomic<int> calls = 0;
  try {
    pool.for_each(100, [&](std::size_t i) {
      ++calls;
      if (i % 10 == 7) throw Error(fmt::format("item {}", i));
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "item 7");
  }
  EXPECT_EQ(calls, 100);
  pool.for_each(10, [&](std::size_t) { ++calls; });
  EXPECT_EQ(calls, 110) << "the pool goes on after a failure";
}

TEST_P(ThreadPoolTest, AllThreadsWorkAtOnce) {
  ThreadPool pool(GetParam());
  std::barrier meet(static_cast<std::ptrdiff_t>(GetParam()));
  std::mutex mutex;
  std::set<std::thread::id> threads;
  pool.for_each(GetParam(), [&](std::size_t) {
    meet.arrive_and_wait();
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), GetParam());
}

TEST_P(ThreadPoolTest, PlainWritesAreSeenAfterTheLoop) {
  ThreadPool pool(GetParam());
  std::vector<std::size_t> values(500);
  for (std::size_t loop = 0; loop < 20; ++loop) {
    pool.for_each(values.size(), [&](std::size_t i) { values[i] += i * loop; });
  }
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], 190 * i);
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, testing::Values(1, 2, 5));

TEST(ThreadPool, NeedsAtLeastOneThread) { EXPECT_THROW(ThreadPool(0), Error); }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they map stacks of their own
TEST(ThreadPool, ThreadsThatCannotBeMadeAreAnError) {
  pthread_attr_t attributes, before;
  ASSERT_EQ(::pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(::pthread_getattr_default_np(&attributes), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&attributes, std::size_t{1} << 45), 0);  // room for one or two in 47 bits
  ASSERT_EQ(::pthread_setattr_default_np(&attributes), 0);
  EXPECT_THAT([] { ThreadPool(64); }, testing::ThrowsMessage<Error>(testing::HasSubstr("threads: expected to start 64, found no more")));
  ::pthread_setattr_default_np(&before);
  EXPECT_EQ(ThreadPool(2).threads(), 2U);
}
#endif

}  // namespace
}  // namespace paretofl
