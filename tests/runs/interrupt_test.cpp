#include "paretofl/runs/interrupt.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <thread>

namespace paretofl {
namespace {

volatile std::sig_atomic_t heard = 0;

void hear(int signal) { heard = signal; }

TEST(InterruptGuard, NotesASignalAndGivesBackTheHandlersThatItFound) {
  const auto before = std::signal(SIGINT, hear);
  {
    const InterruptGuard guard;
    EXPECT_EQ(InterruptGuard::signal_received(), 0);
    std::raise(SIGINT);
    EXPECT_EQ(InterruptGuard::signal_received(), SIGINT);
  }
  EXPECT_EQ(heard, 0);
  std::raise(SIGINT);
  EXPECT_EQ(heard, SIGINT);
  heard = 0;
  std::signal(SIGINT, before);
}

TEST(InterruptGuard, KeepsASignalUntilTheOutermostOneEnds) {
  {
    const InterruptGuard outer;
    {
      const InterruptGuard inner;
      std::raise(SIGTERM);
    }
    EXPECT_EQ(InterruptGuard::signal_received(), SIGTERM);
    const InterruptGuard second;
    EXPECT_EQ(InterruptGuard::signal_received(), SIGTERM);
  }
  const InterruptGuard later;
  EXPECT_EQ(InterruptGuard::signal_received(), 0);
}

TEST(InterruptGuard, OfAnotherThreadLeavesTheMainThreadItsSignal) {
  const auto former = std::signal(SIGINT, hear);
  heard = 0;
  std::thread([] {
    const InterruptGuard guard;
    std::raise(SIGINT);
    EXPECT_EQ(InterruptGuard::signal_received(), SIGINT);
    EXPECT_EQ(heard, SIGINT);
    heard = 0;
    std::raise(SIGINT);
    EXPECT_EQ(heard, SIGINT) << "the second one too, which would end the process otherwise";
  }).join();
  heard = 0;
  std::signal(SIGINT, former);
}

/// The status of a process that is forked to call `body`.
template <typename Body>
int status_of_child(const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(InterruptGuard, AForkedProcessHasTheFormerHandlers) {
  const InterruptGuard outer;
  const InterruptGuard inner;
  const int ended = status_of_child([] {
    std::raise(SIGTERM);
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGTERM) << "the parent's guards note no signal of the child's";
  std::raise(SIGINT);
  EXPECT_EQ(InterruptGuard::signal_received(), SIGINT) << "the parent keeps its own";
}

TEST(InterruptGuard, AForkedProcessMayHaveGuardsOfItsOwn) {
  const int ended = [] {
    auto inherited = std::make_unique<InterruptGuard>();
    return status_of_child([&] {
      int seen = 0;
      {
        const InterruptGuard own;
        inherited.reset();
        std::raise(SIGTERM);
        seen = InterruptGuard::signal_received();
      }
      if (seen == SIGTERM) std::raise(SIGTERM);
      return 0;
    });
  }();
  EXPECT_TRUE(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGTERM);
}

TEST(InterruptGuard, SaysItsLastWordsWhenItIsToldToEnd) {
  testing::internal::CaptureStderr();
  {
    const InterruptGuard guard("continue with this\n");
    std::raise(SIGINT);
    std::raise(SIGTERM);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "continue with this\n") << "SIGINT needs none";
  testing::internal::CaptureStderr();
  {
    const InterruptGuard guard;
    std::raise(SIGTERM);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace paretofl
