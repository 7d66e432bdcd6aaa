#include "paretofl/report/client_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

/// A run of two objectives whose last round with figures by client has these returns; a later one has none.
RunData run_with(const std::string& seed, const std::vector<ObjectiveValues>& returns, const std::vector<double>& scalarized) {
  RunData run;
  run.name = seed;
  run.seed = seed;
  run.strategy = "fedpref";
  run.workload = "somewhere";
  run.objectives = {"treasure", "time"};
  run.test["return"] = {1, 1};
  run.seed_changes_problem = false;
  run.rows.resize(3);
  run.rows[0].clients["return"] = {{100, 100}};
  run.rows[1].clients["return"] = returns;
  for (const double value : scalarized) run.rows[1].clients["scalarized_return"].push_back({value});
  return run;
}

class ClientSetTest : public testing::Test {
 protected:
  ClientSetTest()
      : runs_{run_with("1", {{3, 1}, {1, 3}, {2, 1}}, {2, 4, 6}), run_with("2", {{2, 2}, {2, 2}, {0, 0}}, {1, 1, 1}),
              run_with("3", {}, {})},
        comparison_(compare(runs_).at(0)) {
    runs_[2].rows[1].clients.clear();
    runs_[2].rows[0].clients.clear();
  }

  std::vector<RunData> runs_;
  Comparison comparison_;
};

TEST_F(ClientSetTest, HasTheFiguresOfEveryRunsPoints) {
  const ClientSets sets = client_sets(comparison_, "return", {0, 0});
  ASSERT_EQ(sets.sets.size(), 2U) << "the third run is not personalized";
  const auto& first = sets.sets[0].figures;
  EXPECT_DOUBLE_EQ(first.at("scalarized"), 4);
  EXPECT_DOUBLE_EQ(first.at("hypervolume"), 5);  // two boxes of 3 that share 1
  EXPECT_DOUBLE_EQ(first.at("cardinality"), 2);
  EXPECT_DOUBLE_EQ(first.at("sparsity"), 8);
  EXPECT_DOUBLE_EQ(first.at("igd"), std::sqrt(2) / 3)
      << "of the front (3, 1), (1, 3), (2, 2) only the last is not its own; nearest: (3, 1), as (2, 1) is dominated";
  const auto& second = sets.sets[1].figures;
  EXPECT_DOUBLE_EQ(second.at("hypervolume"), 4);
  EXPECT_DOUBLE_EQ(second.at("cardinality"), 1) << "equal points are one solution";
  EXPECT_DOUBLE_EQ(second.at("igd"), 2 * std::sqrt(2) / 3);
}

TEST_F(ClientSetTest, SeedsThatChangeTheProblemHaveFrontsOfTheirOwn) {
  for (RunData& run : runs_) run.seed_changes_problem = true;
  const Comparison comparison = compare(runs_).at(0);
  for (const auto& [run, figures] : client_sets(comparison, "return", {0, 0}).sets) EXPECT_EQ(figures.at("igd"), 0) << run->seed;
}

TEST_F(ClientSetTest, TakesTheWorstValuesAsReference) {
  EXPECT_THAT(client_sets(comparison_, "return").reference, testing::ElementsAre(0, 0));
}

TEST_F(ClientSetTest, EstimatesOverSeeds) {
  const ClientSets sets = client_sets(comparison_, "return", {0, 0});
  ASSERT_EQ(comparison_.groups.size(), 1U);
  const Estimate volume = sets.figure(comparison_.groups[0], "hypervolume");
  EXPECT_DOUBLE_EQ(volume.mean, 4.5);
  EXPECT_DOUBLE_EQ(volume.spread, std::sqrt(0.5));
}

TEST_F(ClientSetTest, RejectsAReferenceOfAnotherNumber) {
  EXPECT_THAT(
      [&] {
        client_sets(comparison_, "return", {0, 0, 0});
      },
      testing::ThrowsMessage<Error>(testing::HasSubstr("expected 2 numbers for somewhere, found 3")));
}

TEST_F(ClientSetTest, IsEmptyWithoutClients) { EXPECT_TRUE(client_sets(comparison_, "accuracy").sets.empty()); }

}  // namespace
}  // namespace paretofl
