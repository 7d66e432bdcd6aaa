// What clients find on their own data, by client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "paretofl/core/error.h"
#include "paretofl/runs/run.h"

namespace paretofl {
namespace {

class FederatedEvaluation : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  nlohmann::json evaluated(const std::vector<std::string>& overrides) const {
    Settings settings;
    settings.values = {{"rounds", std::int64_t{2}}};
    settings.tables["workload"].values = {{"name", std::string("quadratics")}, {"clients", std::int64_t{5}}};
    settings.tables["strategy"].values = {{"name", std::string("fedavg")}, {"cohort_size", std::int64_t{3}}};
    RunRequest request;
    request.directory = folder_;
    request.settings = settings;
    request.overrides = overrides;
    request.shows_progress = false;
    run(request);
    std::ifstream file(folder_ / "summary.json");
    return nlohmann::json::parse(file).at("federated");
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / ("federated_evaluation_" + std::to_string(::getpid()));
};

TEST_F(FederatedEvaluation, FiguresOfEveryClientHaveTheMeanThatIsRecorded) {
  const nlohmann::json found = evaluated({"evaluation.federated=true", "evaluation.by_client=true"});
  ASSERT_EQ(found["by_client"]["loss"].size(), found["test"]["loss"].size());
  for (const auto& [objective, mean] : found["test"]["loss"].items()) {
    const auto own = found["by_client"]["loss"][objective].get<std::vector<double>>();
    ASSERT_EQ(own.size(), 5U);
    double sum = 0;
    for (const double loss : own) sum += loss;
    EXPECT_NEAR(sum / 5, mean.get<double>(), 1e-9 * sum) << objective;
    EXPECT_NE(own[0], own[1]);
  }
}

TEST_F(FederatedEvaluation, LeavesThemOutUnlessAsked) { EXPECT_FALSE(evaluated({"evaluation.federated=true"}).contains("by_client")); }

TEST_F(FederatedEvaluation, RefusesFiguresByClientWithoutItself) {
  EXPECT_THAT([&] { evaluated({"evaluation.by_client=true"}); },
              testing::ThrowsMessage<Error>("evaluation.by_client: expected evaluation.federated = true with it, found false"));
}

}  // namespace
}  // namespace paretofl
