#include "paretofl/runs/process_identity.h"

#include <gtest/gtest.h>

#include "paretofl/core/build_facts.h"

namespace paretofl {
namespace {

TEST(ProcessIdentity, HoldsTheRunsAndTheEngines) {
  const Texts identity = process_identity({{"seed", "1"}, {"data_read", "abc"}});
  EXPECT_EQ(identity.at("seed"), "1");
  EXPECT_EQ(identity.at("data_read"), "abc");
  EXPECT_EQ(identity.at("engine.version"), version_text());
  EXPECT_EQ(identity.at("engine.compiler"), built_by());
  EXPECT_EQ(identity.at("engine.instructions"), built_for());
  EXPECT_EQ(identity.size(), 5U) << "no plugin is loaded";
}

}  // namespace
}  // namespace paretofl
