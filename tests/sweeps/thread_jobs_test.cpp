#include "paretofl/sweeps/thread_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <latch>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace paretofl {
namespace {

using testing::ElementsAre;

/// What the waiting thread saw of the jobs.
struct SeenHere {
  std::vector<std::size_t> started;
  std::map<std::size_t, JobEnd> ended;
  std::size_t most_at_once = 0;
  bool goes_on = true;

  int run(std::size_t count, std::size_t at_once, const std::function<JobEnd(std::size_t, const CallInWaitingThread&)>& body) {
    const auto here = std::this_thread::get_id();
    return run_in_threads({.count = count,
                           .at_once = at_once,
                           .body = body,
                           .on_start =
                               [&, here](std::size_t job) {
                                 EXPECT_EQ(std::this_thread::get_id(), here);
                                 started.push_back(job);
                                 most_at_once = std::max(most_at_once, started.size() - ended.size());
                               },
                           .on_end =
                               [&, here](std::size_t job, const JobEnd& end) {
                                 EXPECT_EQ(std::this_thread::get_id(), here);
                                 ended[job] = end;
                               },
                           .goes_on = [&] { return goes_on; }});
  }
};

class RunInThreads : public testing::TestWithParam<std::size_t> {};

TEST_P(RunInThreads, RunsEveryJobInOrderAndAFailureStopsNoOther) {
  SeenHere seen;
  const int signal = seen.run(5, GetParam(), [](std::size_t job, const auto&) {
    if (job == 1) throw std::runtime_error("no luck");
    return JobEnd{.code = job == 3 ? 7 : 0};
  });
  EXPECT_EQ(signal, 0);
  EXPECT_THAT(seen.started, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(seen.most_at_once, GetParam());
  EXPECT_EQ(seen.ended.size(), 5U);
  EXPECT_EQ(seen.ended.at(1).failure, "no luck");
  EXPECT_EQ(seen.ended.at(3).code, 7);
  EXPECT_TRUE(seen.ended.at(4).ok());
}

TEST_P(RunInThreads, CallsAreMadeInTheWaitingThread) {
  const auto here = std::this_thread::get_id();
  std::vector<std::size_t> made;  // without a lock: one thread makes them
  SeenHere seen;
  seen.run(4, GetParam(), [&](std::size_t job, const CallInWaitingThread& call) {
    for (int i = 0; i < 100; ++i) {
      call([&] {
        EXPECT_EQ(std::this_thread::get_id(), here);
        made.push_back(job);
      });
    }
    call([] { throw std::runtime_error("from there"); });
    return JobEnd{};
  });
  EXPECT_EQ(made.size(), 400U);
  EXPECT_EQ(seen.ended.at(3).failure, "from there");
}

TEST_P(RunInThreads, NoOtherStartsAfterASignal) {
  SeenHere seen;
  EXPECT_EQ(seen.run(9, GetParam(), [](std::size_t, const auto&) { return JobEnd{.signal = SIGINT, .stopped = true}; }), SIGINT);
  EXPECT_EQ(seen.started.size(), GetParam());
  SeenHere between;
  std::latch raised(1);
  EXPECT_EQ(between.run(9, GetParam(),
                        [&](std::size_t job, const auto&) {
                          if (job == 0) std::raise(SIGTERM);
                          if (job == 0) raised.count_down();
                          raised.wait();
                          return JobEnd{};
                        }),
            SIGTERM);
  EXPECT_LE(between.started.size(), GetParam());
}

TEST_P(RunInThreads, NoOtherStartsOnceTheyShallNot) {
  SeenHere seen;
  seen.run(9, GetParam(), [&](std::size_t, const CallInWaitingThread& call) {
    call([&] { seen.goes_on = false; });
    return JobEnd{};
  });
  EXPECT_EQ(seen.started.size(), GetParam());
  EXPECT_EQ(seen.ended.size(), GetParam());
}

TEST_P(RunInThreads, WhatOnEndThrowsIsThrownOnceTheJobsUnderWayHaveEnded) {
  std::vector<std::size_t> started, ended;
  const ThreadJobs jobs{.count = 9,
                        .at_once = GetParam(),
                        .body = [](std::size_t, const auto&) { return JobEnd{}; },
                        .on_start = [&](std::size_t job) { started.push_back(job); },
                        .on_end =
                            [&](std::size_t job, const JobEnd&) {
                              ended.push_back(job);
                              throw std::runtime_error(ended.size() == 1 ? "the first" : "another");
                            },
                        .goes_on = [] { return true; }};
  EXPECT_THAT([&] { run_in_threads(jobs); }, testing::ThrowsMessage<std::runtime_error>("the first"));
  EXPECT_EQ(started.size(), GetParam());
  EXPECT_THAT(ended, testing::UnorderedElementsAreArray(started));
}

TEST_P(RunInThreads, WhatGoesOnThrowsIsThrownOnceTheJobsUnderWayHaveEnded) {
  std::vector<std::size_t> started, ended;
  const ThreadJobs jobs{.count = 9,
                        .at_once = GetParam(),
                        .body = [](std::size_t, const auto&) { return JobEnd{}; },
                        .on_start = [&](std::size_t job) { started.push_back(job); },
                        .on_end = [&](std::size_t job, const JobEnd&) { ended.push_back(job); },
                        .goes_on = [&] { return started.size() < GetParam() ? true : throw std::runtime_error("no more"); }};
  EXPECT_THAT([&] { run_in_threads(jobs); }, testing::ThrowsMessage<std::runtime_error>("no more"));
  EXPECT_EQ(started.size(), GetParam());
  EXPECT_THAT(ended, testing::UnorderedElementsAreArray(started));
}

TEST_P(RunInThreads, WhatTheEndOfAJobThatDidNotStartThrowsIsThrown) {
  std::vector<std::size_t> ended;
  const ThreadJobs jobs{.count = 3,
                        .at_once = GetParam(),
                        .body = [](std::size_t, const auto&) { return JobEnd{}; },
                        .on_start =
                            [](std::size_t job) {
                              if (job == 1) throw std::runtime_error("no folder");
                            },
                        .on_end =
                            [&](std::size_t job, const JobEnd& end) {
                              ended.push_back(job);
                              if (job == 1) throw std::runtime_error("after " + end.failure);
                            },
                        .goes_on = [] { return true; }};
  EXPECT_THAT([&] { run_in_threads(jobs); }, testing::ThrowsMessage<std::runtime_error>("after no folder"));
  EXPECT_THAT(ended, testing::UnorderedElementsAre(0, 1));
}

TEST_P(RunInThreads, NoMoreThreadsThanJobsAtOnceDoThem) {
  std::vector<std::thread::id> threads;
  SeenHere seen;
  seen.run(9, GetParam(), [&](std::size_t, const CallInWaitingThread& call) {
    call([&, thread = std::this_thread::get_id()] { threads.push_back(thread); });
    return JobEnd{};
  });
  EXPECT_EQ(threads.size(), 9U);
  EXPECT_LE(std::set(threads.begin(), threads.end()).size(), GetParam());
}

INSTANTIATE_TEST_SUITE_P(AtOnce, RunInThreads, testing::Values(1, 3));

TEST(RunInThreadsSideBySide, JobsRunAtTheSameTime) {
  SeenHere seen;
  std::latch all(3);
  seen.run(3, 3, [&](std::size_t, const auto&) {
    all.arrive_and_wait();  // none gets past this before all are there
    return JobEnd{};
  });
  EXPECT_EQ(seen.ended.size(), 3U);
}

}  // namespace
}  // namespace paretofl
