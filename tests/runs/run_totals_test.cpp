#include "paretofl/runs/run_totals.h"

#include <gtest/gtest.h>

#include "paretofl/runs/process_usage.h"

namespace paretofl {
namespace {

TEST(RunTotals, CpuSecondsAreThoseSinceTheRunBegan) {
  const double before = process_cpu_seconds();
  ASSERT_GT(before, 0) << "the test has begun";
  RunTotals totals;
  totals.count_cpu_from(before);
  totals.account_time();
  EXPECT_GE(totals.cpu_seconds, 0);
  EXPECT_LE(totals.cpu_seconds, process_cpu_seconds() - before);
  const double first = totals.cpu_seconds;
  totals.account_time();
  EXPECT_GE(totals.cpu_seconds, first);
  EXPECT_LE(totals.cpu_seconds, process_cpu_seconds() - before);
}

}  // namespace
}  // namespace paretofl
