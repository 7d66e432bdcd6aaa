#include "paretofl/runs/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

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
