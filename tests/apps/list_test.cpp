#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

Outcome list(const std::string& arguments) { return run_in_shell("'" + command_path() + "' list " + arguments + " 2>&1"); }

TEST(ListCommand, NamesEveryPartWithItsOptions) {
  const nlohmann::json all = nlohmann::json::parse(list("--json").out);
  for (const char* kind :
       {"strategies", "workloads", "solvers", "compressors", "runtimes", "models", "environments", "agents", "rewards", "question-sets"}) {
    ASSERT_TRUE(all.contains(kind)) << kind;
    for (const auto& entry : all[kind]) {
      EXPECT_FALSE(entry["summary"].get<std::string>().empty()) << entry;
      for (const auto& option : entry["options"]) EXPECT_FALSE(option["meaning"].get<std::string>().empty()) << option;
    }
  }
}

TEST(ListCommand, ShowsOnePartForPeople) {
  const Outcome outcome = list("strategies fedcmoo");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("cohort_size"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("fsmgda")));
}

TEST(ListCommand, UnknownNamesPrintTheKnownOnes) {
  EXPECT_EQ(list("stratgies").code, 1);
  EXPECT_THAT(list("stratgies").out, HasSubstr("expected one of strategies, workloads"));
  EXPECT_THAT(list("solvers newton").out, HasSubstr("expected one of fixed"));
}

TEST(ListCommand, WhatIsNoKindIsSetRight) {
  EXPECT_THAT(list("solver").out, HasSubstr("found 'solver'; did you mean solvers?"));
  EXPECT_THAT(list("fedcmoo").out, HasSubstr("found 'fedcmoo'; did you mean paretofl list strategies fedcmoo?"));
  EXPECT_THAT(list("fedcmoo-glyphs").out, HasSubstr("did you mean paretofl list presets fedcmoo-glyphs?"));
}

TEST(ListCommand, TheBeginningOfNamesOfPresetsListsThose) {
  const Outcome some = list("presets fedpref-");
  EXPECT_EQ(some.code, 0);
  EXPECT_THAT(some.out, HasSubstr("fedpref-quadratics"));
  EXPECT_THAT(some.out, testing::Not(HasSubstr("fedcmoo-quadratics")));
  EXPECT_EQ(nlohmann::json::parse(list("presets fedcmoo-glyphs --json").out)["presets"].size(), 1);
  EXPECT_EQ(list("presets fedprf").code, 1);
}

}  // namespace
}  // namespace paretofl
