#include <gtest/gtest.h>

#include "paretofl/workloads/quadratics.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

TEST(TFirm, IsFirmWithSmoothedWeightsOfTheGramianAsItIs) {
  const Quadratics problem({.clients = 4, .objectives = 3, .gradient_noise = 0.3}, 7);
  const auto firm = [&](bool trace_normalization) {
    Settings settings;
    settings.values = {{"cohort_size", std::int64_t{4}}, {"client_lr", 0.02}};
    settings.tables["solver"].values = {
        {"beta", 0.5}, {"smoothing", std::string("harmonic")}, {"trace_normalization", trace_normalization}};
    return Simulation(strategies().at("firm").make(settings, problem), problem).run(1, 4);
  };
  const auto tfirm = [&](const std::string& smoothing) {
    return Simulation(strategy_named("tfirm", problem,
                                     {{"cohort_size", std::int64_t{4}}, {"client_lr", 0.02}, {"beta", 0.5}, {"smoothing", smoothing}}),
                      problem)
        .run(1, 4);
  };
  EXPECT_EQ(tfirm("harmonic"), firm(false));
  EXPECT_NE(tfirm("harmonic"), firm(true));
  EXPECT_NE(tfirm("harmonic"), tfirm("off"));
}

}  // namespace
}  // namespace paretofl
