#include "paretofl/sweeps/process_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "tests/apps/child_process.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

/// What the calling process saw of the jobs.
struct Seen {
  std::vector<std::size_t> started;
  std::map<std::size_t, std::int64_t> progress;
  std::map<std::size_t, JobEnd> ended;
  std::size_t most_at_once = 0;

  using Body = std::function<int(std::size_t, const std::function<void(std::int64_t)>&)>;

  int run(std::size_t count, std::size_t at_once, const Body& body) {
    return run_in_processes({.count = count,
                             .at_once = at_once,
                             .body = body,
                             .on_start =
                                 [&](std::size_t job) {
                                   started.push_back(job);
                                   most_at_once = std::max(most_at_once, started.size() - ended.size());
                                 },
                             .on_progress = [&](std::size_t job, std::int64_t value) { progress[job] = value; },
                             .on_end = [&](std::size_t job, const JobEnd& end) { ended[job] = end; }});
  }
};

TEST(ProcessPool, RunsEveryJobInOrderAFewAtATime) {
  Seen seen;
  const int signal = seen.run(7, 3, [](std::size_t job, const auto& progress) {
    for (std::int64_t value = 0; value <= static_cast<std::int64_t>(job); ++value) progress(value);
    return static_cast<int>(job);
  });
  EXPECT_EQ(signal, 0);
  EXPECT_THAT(seen.started, ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_EQ(seen.most_at_once, 3U);
  for (std::size_t job = 0; job < 7; ++job) {
    EXPECT_EQ(seen.ended.at(job).code, static_cast<int>(job));
    EXPECT_EQ(seen.progress.at(job), static_cast<std::int64_t>(job)) << "the last value counts";
  }
  EXPECT_TRUE(seen.ended.at(0).ok());
  EXPECT_FALSE(seen.ended.at(1).ok());
}

TEST(ProcessPool, AJobThatDiesStopsNoOther) {
  Seen seen;
  seen.run(3, 2, [](std::size_t job, const auto&) {
    if (job == 1) ::raise(SIGKILL);
    return 0;
  });
  EXPECT_TRUE(seen.ended.at(0).ok());
  EXPECT_EQ(seen.ended.at(1).signal, SIGKILL);
  EXPECT_TRUE(seen.ended.at(2).ok());
}

TEST(ProcessPool, AJobThatCannotStartStopsNoOther) {
  Seen seen;
  std::vector<std::size_t> started;
  run_in_processes({.count = 4,
                    .at_once = 2,
                    .body = [](std::size_t, const auto&) { return 0; },
                    .on_start =
                        [&](std::size_t job) {
                          if (job % 2 == 1) throw std::runtime_error("no folder for it");
                          started.push_back(job);
                        },
                    .on_progress = [](std::size_t, std::int64_t) {},
                    .on_end = [&](std::size_t job, const JobEnd& end) { seen.ended[job] = end; }});
  EXPECT_THAT(started, ElementsAre(0, 2));
  for (const std::size_t job : {0, 2}) EXPECT_TRUE(seen.ended.at(job).ok());
  for (const std::size_t job : {1, 3}) {
    EXPECT_FALSE(seen.ended.at(job).ok());
    EXPECT_EQ(seen.ended.at(job).failure, "no folder for it");
  }
}

TEST(ProcessPool, ASignalGoesOnToTheJobsAndNoOthersStart) {
  heed_signals();
  for (const int sent : {SIGINT, SIGTERM, SIGHUP}) {
    Seen seen;
    const pid_t parent = ::getpid();
    const int signal = seen.run(5, 2, [parent, sent](std::size_t job, const auto&) {
      if (job == 1) ::kill(parent, sent);
      for (;;) ::pause();
      return 0;
    });
    EXPECT_EQ(signal, sent);
    EXPECT_THAT(seen.started, ElementsAre(0, 1));
    EXPECT_EQ(seen.ended.at(0).signal, sent);
    EXPECT_EQ(seen.ended.at(1).signal, sent);
  }
}

TEST(ProcessPool, JobsEndWithTheirParent) {
  // A process that runs a job for ever and kills itself once it is running; the job holds the pipe's other end.
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t pool = ::fork();
  if (pool == 0) {
    ::close(ends[0]);
    run_in_processes({.count = 1,
                      .at_once = 1,
                      .body =
                          [](std::size_t, const auto& progress) {
                            progress(1);
                            for (;;) ::pause();
                            return 0;
                          },
                      .on_start = [](std::size_t) {},
                      .on_progress = [](std::size_t, std::int64_t) { ::raise(SIGKILL); },
                      .on_end = [](std::size_t, const JobEnd&) {}});
    ::_exit(0);
  }
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0) << "end of file: nobody holds the pipe any more";
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pool, &status, 0);
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

}  // namespace
}  // namespace paretofl
