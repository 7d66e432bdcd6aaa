#include "paretofl/tables/table_objective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

std::string objective_refusal(const std::vector<std::string>& targets, const std::vector<std::string>& losses) {
  try {
    table_objectives(targets, losses);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TableObjectives, AreTheTargetsWithTheirLosses) {
  const auto list = table_objectives({"price", "sold", "kind"}, {"quantile:0.9", "logistic", "cross_entropy"});
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].name, "price");
  EXPECT_EQ(list[0].head, (Head{.outputs = 1, .loss = Loss::kQuantile, .level = 0.9}));
  EXPECT_EQ(list[1].head.loss, Loss::kBinary);
  EXPECT_EQ(list[2].head.loss, Loss::kNll);
}

TEST(TableObjectives, OneColumnMayHaveSeveralLosses) {
  const auto list = table_objectives({"price", "price", "price"}, {"squared", "quantile:0.1", "quantile:0.9"});
  EXPECT_EQ(list[0].name, "price:squared");
  EXPECT_EQ(list[1].name, "price:quantile:0.1");
  EXPECT_EQ(list[2].column, "price");
}

TEST(TableObjectives, RefuseWhatDoesNotFit) {
  EXPECT_THAT(objective_refusal({}, {}), HasSubstr("workload.targets: expected at least one column to predict, found none"));
  EXPECT_THAT(objective_refusal({"x", "y"}, {"squared"}),
              HasSubstr("workload.losses: expected one loss for each of the 2 targets, found 1"));
  EXPECT_THAT(objective_refusal({"x"}, {"sqared"}), HasSubstr("found 'sqared'"));
  EXPECT_THAT(objective_refusal({"x"}, {"quantile"}), HasSubstr("found 'quantile'"));
  for (const char* loss : {"quantile:", "quantile:0", "quantile:1", "quantile:half", "quantile:0.5x", "quantile:nan"}) {
    EXPECT_THAT(objective_refusal({"x"}, {loss}), HasSubstr("expected quantile:LEVEL with a level between 0 and 1")) << loss;
  }
  EXPECT_THAT(objective_refusal({"x", "x"}, {"squared", "squared"}), HasSubstr("found 'x' with the loss squared twice"));
  EXPECT_THAT(objective_refusal({"x", "x"}, {"squared", "logistic"}), HasSubstr("either a number or a class"));
}

}  // namespace
}  // namespace paretofl
