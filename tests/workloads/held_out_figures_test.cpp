#include "paretofl/workloads/held_out_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

HeldOutFigures figures_of(std::vector<double> losses, double samples) {
  HeldOutFigures figures;
  figures.add_means("loss", losses, samples);
  return figures;
}

TEST(HeldOutFigures, AreMeansOverTheSamplesOfAllClients) {
  HeldOutFigures all;
  all += figures_of({1, 10}, 1);
  all += {};
  all += figures_of({4, 40}, 2);
  EXPECT_THAT(all.means().at("loss"), ElementsAre(3, 30));
}

TEST(HeldOutFigures, AnObjectiveCountsWhereItHasSamples) {
  HeldOutFigures all = figures_of({1, 10}, 1);
  all.metrics["loss"].samples[1] = all.metrics["loss"].values[1] = 0;
  EXPECT_TRUE(std::isnan(all.means().at("loss")[1]));
  all += figures_of({3, 5}, 1);
  EXPECT_THAT(all.means().at("loss"), ElementsAre(2, 5));
}

TEST(HeldOutFigures, ReadBackAsTheyWere) {
  HeldOutFigures figures = figures_of({0.1, 0.2}, 3);
  figures.add_means("accuracy", {0.5, 1}, 3);
  EXPECT_EQ(HeldOutFigures::load(figures.save(), 2), figures);
  EXPECT_TRUE(HeldOutFigures::load({}, 2).empty());
}

TEST(HeldOutFigures, BadOnesAreRefused) {
  EXPECT_THAT([] { HeldOutFigures::load(figures_of({1}, 3).save(), 2); }, ThrowsMessage<Error>(HasSubstr("expected 2")));
  EXPECT_THAT(
      [] {
        HeldOutFigures::load(figures_of({1, 2}, -1).save(), 2);
      },
      ThrowsMessage<Error>(HasSubstr("expected numbers of samples")));
  EXPECT_THAT(
      [] {
        HeldOutFigures::load(figures_of({1, 2}, std::nan("")).save(), 2);
      },
      ThrowsMessage<Error>(HasSubstr("expected numbers of samples")));
  EXPECT_THAT([] { figures_of({1}, 1) += figures_of({1, 2}, 1); }, ThrowsMessage<Error>(HasSubstr("expected loss of 1 objectives")));
}

}  // namespace
}  // namespace paretofl
