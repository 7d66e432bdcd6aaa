// FedCMOO-Pref, and what the Gramian's error is measured to be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/workloads/quadratics.h"
#include "paretofl/workloads/tabular_mdp.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Values = std::map<std::string, Settings::Value>;

constexpr std::int64_t kCohort = 6;

Values slow(std::vector<double> preference = {}) {
  Values values{{"cohort_size", kCohort}, {"local_steps", std::int64_t{2}}, {"client_lr", 0.1}, {"server_lr", 1.0}};
  if (!preference.empty()) values.emplace("preference", std::move(preference));
  return values;
}

std::vector<double> losses_with(const Quadratics& problem, std::vector<double> preference) {
  Strategy strategy = [&] {
    Settings settings;
    for (auto& [key, value] : slow(std::move(preference))) settings.values.emplace(key, value);
    settings.tables["solver"].values = {{"name", std::string("kl_preference")}, {"weight_floor", 0.0}};
    return strategies().at("fedcmoo_pref").make(settings, problem);
  }();
  Simulation simulation(std::move(strategy), problem);
  ThreadPool pool(1);
  return problem.evaluate(simulation.run(1, 400), Split::kTest, pool).per_objective.at("loss");
}

TEST(FedCmooPref, FinalLossesFollowThePreference) {
  const Quadratics problem({.clients = kCohort, .objectives = 2, .condition = 4, .heterogeneity = 0, .gradient_noise = 0}, 5);
  double previous = INFINITY;
  for (const double preferred : {0.5, 1.0, 2.0}) {
    const std::vector<double> losses = losses_with(problem, {preferred, 1.0});
    EXPECT_NEAR(preferred * losses[0] / losses[1], 1, 0.25) << preferred;
    EXPECT_LT(losses[0] / losses[1], previous);
    previous = losses[0] / losses[1];
  }
}

TEST(FedCmooPref, IsFedCmooWithItsSolver) {
  const Quadratics problem({.clients = kCohort, .objectives = 3}, 5);
  Simulation pref(strategy_named("fedcmoo_pref", problem, slow()), problem);
  Simulation other(strategy_named("fedcmoo", problem, slow(), {{"solver", "kl_preference"}}), problem);
  EXPECT_EQ(pref.run(1, 5), other.run(1, 5));
}

/// A client's answer to the request for a sketch at the initial parameters, under `losses`.
Reply sketch_of(const Workload& workload, const char* losses) {
  const Strategy strategy = strategy_named("fedcmoo_pref", workload, {{"cohort_size", std::int64_t{4}}}, {{"losses", losses}});
  return strategy.client(1)->handle(Request("sketch_jacobian").with(workload.initial_parameters().values()),
                                    {.seed = 1, .round = 1, .client = 1});
}

// lenet has dropout, and images are rotated in training.
TEST(FedCmooPref, LocalLossesAreThoseOnAllDataInEvaluationMode) {
  const auto workload = small_glyphs();
  const Reply local = sketch_of(*workload, "local");
  EXPECT_EQ(local.losses, workload->oracle(1)->local_losses(workload->initial_parameters().values()));
  const Reply minibatch = sketch_of(*workload, "minibatch");
  EXPECT_NE(local.losses, minibatch.losses);
  EXPECT_EQ(local.extra, minibatch.extra) << "the sketch is the same";
}

/// Lambda of the second round under a solver for which every difference of the losses counts.
std::vector<double> lambda_by_losses(const Workload& workload, const char* losses, const char* exchanges) {
  Settings settings;
  settings.values = {{"cohort_size", std::int64_t{4}}, {"losses", std::string(losses)}, {"exchanges", std::string(exchanges)}};
  settings.tables["solver"].values = {{"name", std::string("linear")}, {"scale", std::string("losses")}};
  Simulation simulation(strategies().at("fedcmoo_pref").make(settings, workload), workload);
  simulation.run(1, 2);
  return std::get<std::vector<double>>(simulation.reports[1].metrics.values().at("lambda"));
}

TEST(FedCmooPref, LocalLossesSetLambdaWithAnyNumberOfExchanges) {
  const auto workload = small_glyphs();
  for (const char* exchanges : {"all", "one"}) {
    EXPECT_NE(lambda_by_losses(*workload, "local", exchanges), lambda_by_losses(*workload, "minibatch", exchanges)) << exchanges;
  }
}

TEST(FedCmooPref, RefusesLocalLossesWhereClientsCannotTellThem) {
  const TabularMdp workload({}, 1);
  EXPECT_THAT(
      [&] {
        strategy_named("fedcmoo_pref", workload, {{"cohort_size", std::int64_t{2}}}, {{"losses", "local"}});
      },
      ThrowsMessage<Error>("strategy.losses: expected minibatch, since clients of this workload, or clients under privacy.example_clip, "
                           "report losses of minibatches only; found 'local'"));
}

TEST(FedCmooPref, RejectsAPreferenceOfAnotherSize) {
  const Quadratics problem({.clients = kCohort, .objectives = 3}, 5);
  EXPECT_THAT(
      [&] {
        strategy_named("fedcmoo_pref", problem, slow({1, 2}));
      },
      ThrowsMessage<Error>(HasSubstr("expected 3 numbers in strategy.preference, found 2")));
}

TEST(Preference, IsRefusedWithASolverThatUsesNone) {
  const Quadratics problem({.clients = kCohort, .objectives = 2}, 5);
  for (const char* strategy : {"fedcmoo", "fedcmoo_a", "firm"}) {
    const Values values = slow({1, 2});
    EXPECT_THAT(
        [&] {
          strategy_named(strategy, problem, values, {{"solver", "min_norm"}});
        },
        ThrowsMessage<Error>("strategy.preference: expected none with the solver min_norm, which uses no preference, found one"));
    EXPECT_NO_THROW(strategy_named(strategy, problem, values, {{"solver", "linear"}})) << strategy;
  }
}

double nrmse(const Quadratics& problem, const std::string& compressor, const std::string& metric = "gramian_nrmse") {
  Values values = slow();
  values.emplace("measure_nrmse", true);
  Simulation simulation(strategy_named("fedcmoo", problem, std::move(values), {{"compressor", compressor}}), problem);
  simulation.run(1, 1);
  return std::get<double>(simulation.reports[0].metrics.values().at(metric));
}

TEST(GramianError, IsWhatTheCompressorLoses) {
  const Quadratics alike({.clients = kCohort, .objectives = 3, .dimension = 300, .heterogeneity = 0, .gradient_noise = 0}, 5);
  EXPECT_LT(nrmse(alike, "exact"), 1e-6);
  EXPECT_NEAR(nrmse(alike, "client_grams"), 1 - 1.0 / kCohort, 1e-6);  // of n^2 equal terms it has n
  EXPECT_LT(nrmse(alike, "quantizer"), 1e-2);
  const Quadratics unlike({.clients = kCohort, .objectives = 3, .dimension = 300, .heterogeneity = 3, .gradient_noise = 0}, 5);
  EXPECT_LT(nrmse(unlike, "exact"), 1e-6);
  EXPECT_GT(nrmse(unlike, "client_grams"), 0.3);
  EXPECT_LT(nrmse(unlike, "top_k"), nrmse(unlike, "random_mask"));
}

TEST(GramianError, ScaledIsWhatIsLeftUnderTheBestScale) {
  const Quadratics alike({.clients = kCohort, .objectives = 3, .dimension = 300, .heterogeneity = 0, .gradient_noise = 0}, 5);
  EXPECT_LT(nrmse(alike, "client_grams", "gramian_scaled_nrmse"), 1e-6) << "a multiple of the Gramian";
  const Quadratics unlike({.clients = kCohort, .objectives = 3, .dimension = 300, .heterogeneity = 3, .gradient_noise = 0}, 5);
  for (const char* compressor : {"client_grams", "random_mask", "top_k", "randomized_svd"}) {
    const double scaled = nrmse(unlike, compressor, "gramian_scaled_nrmse");
    EXPECT_LE(scaled, std::min(1.0, nrmse(unlike, compressor))) << compressor;
    EXPECT_GT(scaled, 0) << compressor;
  }
}

TEST(GramianError, ItsBytesAreCountedApart) {
  const Quadratics problem({.clients = kCohort, .objectives = 3}, 5);
  Values values = slow();
  Simulation plain(strategy_named("fedcmoo", problem, values), problem);
  values.emplace("measure_nrmse", true);
  Simulation measured(strategy_named("fedcmoo", problem, std::move(values)), problem);
  EXPECT_EQ(plain.run(1, 1), measured.run(1, 1));
  EXPECT_EQ(measured.reports[0].bytes_up, plain.reports[0].bytes_up);
  EXPECT_EQ(measured.reports[0].bytes_down, plain.reports[0].bytes_down);
  EXPECT_EQ(plain.reports[0].measurement_bytes, 0);
  EXPECT_GT(measured.reports[0].measurement_bytes, std::uint64_t{kCohort} * 3 * problem.layout()->size() * sizeof(float));
}

TEST(GramianError, IsNotMeasuredUnlessAskedFor) {
  const Quadratics problem({.clients = kCohort, .objectives = 3}, 5);
  Simulation simulation(strategy_named("fedcmoo", problem, slow()), problem);
  simulation.run(1, 1);
  EXPECT_FALSE(simulation.reports[0].metrics.values().contains("gramian_nrmse"));
  EXPECT_FALSE(simulation.reports[0].metrics.values().contains("gramian_scaled_nrmse"));
}

}  // namespace
}  // namespace paretofl
