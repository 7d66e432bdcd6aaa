// FedCMOO with one exchange a round: lambda follows the Gramian of the round before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::Key;

Strategy fedcmoo_of(const char* exchanges, const Workload& workload) {
  Settings settings;
  settings.values = {{"exchanges", std::string(exchanges)}, {"cohort_size", std::int64_t{4}}};
  settings.tables["compressor"].values = {{"name", std::string("randomized_svd")}, {"two_way", false}};
  return strategies().at("fedcmoo").make(settings, workload);
}

std::vector<double> lambda_of(const Simulation& simulation, std::size_t round) {
  return std::get<std::vector<double>>(simulation.reports.at(round).metrics.values().at("lambda"));
}

TEST(OneExchange, LambdaIsThatOfTheRoundBefore) {
  const Quadratics workload({.clients = 4}, 1);
  Simulation all(fedcmoo_of("all", workload), workload);
  Simulation one(fedcmoo_of("one", workload), workload);
  all.run(1, 1);
  one.run(1, 2);
  EXPECT_THAT(all.reports[0].seconds, ElementsAre(Key("server"), Key("sketch_jacobian"), Key("train")));
  EXPECT_THAT(one.reports[0].seconds, ElementsAre(Key("server"), Key("train_and_sketch")));
  EXPECT_THAT(lambda_of(one, 0), ElementsAre(0.5, 0.5));
  EXPECT_NE(lambda_of(all, 0), lambda_of(one, 0));
  EXPECT_EQ(lambda_of(one, 1), lambda_of(all, 0));
}

}  // namespace
}  // namespace paretofl
