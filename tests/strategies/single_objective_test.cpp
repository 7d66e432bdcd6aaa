#include "paretofl/scalarized/single_objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using Values = std::map<std::string, Settings::Value>;

TEST(SingleObjective, RejectsSettingsThatContradict) {
  const Quadratics problem{{.clients = 2, .objectives = 3}, 5};
  const auto why = [&](const Values& values) -> std::string {
    try {
      strategy_named("single_objective", problem, values);
      return "nothing";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why({{"objective", std::int64_t{2}}, {"cohort_size", std::int64_t{2}}}), "nothing");
  EXPECT_THAT(why({{"objective", std::int64_t{3}}}), HasSubstr("expected strategy.objective below 3, found 3"));
  EXPECT_THAT(why({{"objective_weights", std::vector<double>{1, 1, 1}}}), HasSubstr("expected no strategy.objective_weights"));
  EXPECT_THAT(why({{"private_preferences", true}}), HasSubstr("expected strategy.private_preferences = false"));
}

}  // namespace
}  // namespace paretofl
