// Clients that correct their local steps or train a model of their own: SCAFFOLD, FedDyn and Ditto, with values computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"
#include "tests/strategies/known_minimizers.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;
using testing::ThrowsMessage;
using Values = std::map<std::string, Settings::Value>;

Simulation drift_baseline(const std::string& name, const Workload& workload, std::int64_t local_steps, double client_lr,
                          Values values = {}) {
  values.insert({{"cohort_size", std::int64_t{workload.num_clients()}}, {"local_steps", local_steps}, {"client_lr", client_lr}});
  return Simulation(strategy_named(name, workload, std::move(values)), workload);
}

/// Curvatures 1 and 0.1: the mean loss is smallest at (0 + 0.1 * 11) / 1.1 = 1.
const KnownMinimizers& drifting() {
  static const KnownMinimizers kProblem({{1, {0}}, {0.1, {11}}});
  return kProblem;
}

TEST(Scaffold, WithOneLocalStepOfAllClientsIsFedAvg) {
  const Quadratics workload({.clients = 4, .objectives = 2, .gradient_noise = 0}, 3);
  EXPECT_THAT(drift_baseline("scaffold", workload, 1, 0.1).run(1, 8),
              Pointwise(FloatNear(1e-4F), drift_baseline("fedavg", workload, 1, 0.1).run(1, 8)));
}

TEST(Scaffold, FindsTheMinimumWhereFedAvgDoesNot) {
  EXPECT_NEAR(drift_baseline("scaffold", drifting(), 10, 0.1).run(1, 300)[0], 1, 1e-4);
  EXPECT_GT(std::abs(drift_baseline("fedavg", drifting(), 10, 0.1).run(1, 300)[0] - 1), 0.3);
}

TEST(Scaffold, SomeClientsARoundFindItToo) {
  const KnownMinimizers workload({{1, {0}}, {0.1, {11}}, {1, {0}}, {0.1, {11}}});
  EXPECT_NEAR(drift_baseline("scaffold", workload, 10, 0.1, {{"cohort_size", std::int64_t{2}}}).run(1, 1500)[0], 1, 1e-3);
}

TEST(Scaffold, SetsControlVariatesByOptionTwo) {
  // Client 0 from x = 1 with c_0 = 0, c = 0.5, two steps of rate 0.5 at curvature 1, minimizer 0:
  // y = 1 - 0.5 (1 + 0.5) = 0.25, then 0.25 - 0.5 (0.25 + 0.5) = -0.125; c_0+ = 0 - 0.5 + 1.125 / (2 * 0.5) = 0.625.
  const Strategy strategy =
      strategy_named("scaffold", drifting(), {{"cohort_size", std::int64_t{2}}, {"local_steps", std::int64_t{2}}, {"client_lr", 0.5}});
  const auto client = strategy.client(0);
  Request request = Request("train").with(std::vector<float>{1}).with_objective_weights({1});
  request.round = 1;
  request.extra.arrays.emplace("control", Array(std::vector<float>{0.5}));
  EXPECT_THAT(client->handle(request, {1, 1, 0}).update, ElementsAre(FloatNear(1.125, 1e-6), FloatNear(0.625, 1e-6)));
  Record state;
  client->save(state);
  EXPECT_THAT(state.array("pending").floats(), ElementsAre(FloatNear(0.625, 1e-6)));
  EXPECT_THAT(state.array("control").floats(), ElementsAre(0));
}

/// What a client answers in the second round, if its answer of the first counted, or did not; after its state went through a checkpoint.
std::vector<float> second_answer(const std::string& name, bool counted) {
  const auto client_of = [&] {
    return strategy_named(name, drifting(), {{"cohort_size", std::int64_t{2}}, {"local_steps", std::int64_t{2}}, {"client_lr", 0.5}})
        .client(0);
  };
  Request request = Request("train").with(std::vector<float>{1}).with_objective_weights({1});
  request.extra.arrays.emplace("control", Array(std::vector<float>{0.5}));
  request.round = 4;
  const auto client = client_of();
  client->handle(request, {1, 4, 0});
  Record state;
  client->save(state);
  const auto resumed = client_of();
  resumed->load(state);
  request.round = 6;
  const std::vector<std::int64_t> last_counted{1, 5, 0, 2};
  if (!counted) request.extra.arrays.emplace("last_counted", Array(std::span<const std::int64_t>(last_counted)));
  return resumed->handle(request, {1, 6, 0}).update;
}

TEST(DriftBaselines, AChangeWhoseAnswerDidNotCountIsTakenBack) {
  for (const char* name : {"scaffold", "feddyn"}) {
    const auto fresh =
        strategy_named(name, drifting(), {{"cohort_size", std::int64_t{2}}, {"local_steps", std::int64_t{2}}, {"client_lr", 0.5}})
            .client(0);
    Request request = Request("train").with(std::vector<float>{1}).with_objective_weights({1});
    request.extra.arrays.emplace("control", Array(std::vector<float>{0.5}));
    request.round = 6;
    EXPECT_EQ(second_answer(name, false), fresh->handle(request, {1, 6, 0}).update) << name;
    EXPECT_NE(second_answer(name, true), second_answer(name, false)) << name;
  }
}

/// A client whose answer is lost after it has trained, in a third of the rounds.
class LosingClient : public ClientHalf {
 public:
  LosingClient(std::unique_ptr<ClientHalf> half, int client) : half_(std::move(half)), client_(client) {}
  Reply handle(const Request& request, StreamId stream) override {
    Reply reply = half_->handle(request, stream);
    if ((static_cast<int>(request.round) + client_) % 3 == 0) throw Error("lost");
    return reply;
  }

 private:
  std::unique_ptr<ClientHalf> half_;
  int client_;
};

TEST(DriftBaselines, FindTheMinimumThoughAnswersAreLost) {
  const KnownMinimizers workload({{1, {0}}, {0.1, {11}}, {1, {0}}, {0.1, {11}}});
  for (const auto& [name, values] : std::map<std::string, Values>{{"scaffold", {{"local_steps", std::int64_t{10}}}},
                                                                  {"feddyn", {{"local_steps", std::int64_t{100}}, {"alpha", 0.3}}}}) {
    Values all = values;
    all.insert({{"cohort_size", std::int64_t{3}}, {"client_lr", 0.1}});
    Strategy strategy = strategy_named(name, workload, all);
    strategy.client = [inner = strategy.client](int client) { return std::make_unique<LosingClient>(inner(client), client); };
    EXPECT_NEAR(Simulation(std::move(strategy), workload).run(1, 1500)[0], 1, 1e-2) << name;
  }
}

TEST(Scaffold, RefusesAdam) {
  EXPECT_THAT(
      [] {
        drift_baseline("scaffold", drifting(), 1, 0.1, {{"optimizer", std::string("adam")}});
      },
      ThrowsMessage<Error>("strategy.optimizer: expected sgd with scaffold, which computes gradients from local steps, found adam"));
}

TEST(FedDyn, FindsTheMinimumWhereFedAvgDoesNot) {
  EXPECT_NEAR(drift_baseline("feddyn", drifting(), 50, 0.1, {{"alpha", 0.3}}).run(1, 300)[0], 1, 1e-3);
  EXPECT_GT(std::abs(drift_baseline("fedavg", drifting(), 50, 0.1).run(1, 300)[0] - 1), 0.3);
}

TEST(FedDyn, SomeClientsARoundFindItToo) {
  const KnownMinimizers workload({{1, {0}}, {0.1, {11}}, {1, {0}}, {0.1, {11}}});
  EXPECT_NEAR(drift_baseline("feddyn", workload, 100, 0.1, {{"cohort_size", std::int64_t{2}}, {"alpha", 0.3}}).run(1, 1500)[0], 1, 1e-2);
}

TEST(FedDyn, TakesTheStepOfAlgorithm1) {
  // One step of rate 1 from 0: theta_0 = 0, theta_1 = 1.1. h = -alpha * 1.1 / 2, theta = 0.55 - h / alpha = 1.1.
  EXPECT_THAT(drift_baseline("feddyn", drifting(), 1, 1, {{"alpha", 0.5}}).run(1, 1), ElementsAre(FloatNear(1.1, 1e-6)));
}

/// Numbers of all clients' own models.
std::vector<float> own_models(const Simulation& simulation) {
  const std::span<const float> values = simulation.server.client_models()->values();
  return {values.begin(), values.end()};
}

TEST(Ditto, TheGlobalModelIsFedAvgs) {
  const Quadratics workload({.clients = 4, .objectives = 2}, 3);
  EXPECT_EQ(drift_baseline("ditto", workload, 3, 0.1).run(1, 5), drift_baseline("fedavg", workload, 3, 0.1).run(1, 5));
}

TEST(Ditto, WithoutThePullClientsTrainAlone) {
  Simulation simulation = drift_baseline("ditto", drifting(), 1, 0.1, {{"lambda", 0.0}, {"own_lr", 0.5}, {"own_steps", std::int64_t{2}}});
  simulation.run(1, 1);
  // v_1: 0 + 0.05 * 11 = 0.55, then 0.55 + 0.05 * 10.45 = 1.0725.
  EXPECT_THAT(own_models(simulation), ElementsAre(0, FloatNear(1.0725, 1e-5)));
  simulation.run(2, 300);
  EXPECT_THAT(own_models(simulation), ElementsAre(0, FloatNear(11, 1e-3)));
}

TEST(Ditto, OwnModelsMinimizeTheLossWithThePull) {
  // From w, v_i = (a_i c_i + lambda w) / (a_i + lambda).
  Simulation simulation = drift_baseline("ditto", drifting(), 1, 0.1, {{"lambda", 0.4}, {"own_lr", 0.5}, {"own_steps", std::int64_t{60}}});
  const float w = simulation.run(1, 600)[0];
  EXPECT_NEAR(w, 1, 1e-3);
  EXPECT_THAT(own_models(simulation), ElementsAre(FloatNear(0.4F / 1.4F, 1e-3F), FloatNear((1.1F + 0.4F) / 0.5F, 1e-3F)));
}

TEST(Ditto, AnOwnModelThatDivergesStaysAsItWasAndHarmsNoOtherModel) {
  const Quadratics workload({.clients = 4, .objectives = 2, .gradient_noise = 0}, 3);
  Simulation simulation = drift_baseline("ditto", workload, 3, 0.1, {{"own_lr", 1e30}, {"own_steps", std::int64_t{30}}});
  EXPECT_EQ(simulation.run(1, 5), drift_baseline("fedavg", workload, 3, 0.1).run(1, 5));
  const Parameters initial = workload.initial_parameters();
  for (int client = 0; client < 4; ++client) {
    const auto model = simulation.server.client_models()->of(client);
    EXPECT_TRUE(std::equal(model.begin(), model.end(), initial.values().begin()));
  }
  EXPECT_THAT(simulation.reports[0].failures,
              testing::Each(testing::Field(&Failure::reason, testing::HasSubstr("own model, which stays"))));
  EXPECT_EQ(simulation.reports[0].failures.size(), 4U);
}

TEST(Ditto, GathersOwnModelsBesideItsMessages) {
  Simulation simulation = drift_baseline("ditto", drifting(), 1, 0.1);
  Simulation fedavg = drift_baseline("fedavg", drifting(), 1, 0.1);
  simulation.run(1, 1);
  fedavg.run(1, 1);
  EXPECT_EQ(simulation.reports[0].bytes_up, fedavg.reports[0].bytes_up);
  EXPECT_GT(simulation.reports[0].measurement_bytes, 0U);
}

}  // namespace
}  // namespace paretofl
