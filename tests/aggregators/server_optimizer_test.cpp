#include "paretofl/aggregators/server_optimizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::FloatNear;

std::unique_ptr<ServerOptimizer> make(const std::string& name, std::map<std::string, double> options) {
  Component component{name, {}};
  for (const auto& [key, value] : options) component.settings.values.emplace(key, value);
  return make_server_optimizer(component);
}

std::vector<float> after(ServerOptimizer& optimizer, int steps, std::vector<float> update = {1, -2}) {
  Parameters theta(flat_layout("x", 2), {10, 10});
  for (int i = 0; i < steps; ++i) optimizer.apply(update, theta);
  return {theta.values().begin(), theta.values().end()};
}

TEST(ServerOptimizer, SgdStepsAlongTheUpdate) { EXPECT_THAT(after(*make("sgd", {{"lr", 0.5}}), 2), ElementsAre(9, 12)); }

TEST(ServerOptimizer, MomentumWithoutMemoryIsSgd) {
  EXPECT_EQ(after(*make("momentum", {{"lr", 0.5}, {"momentum", 0.0}}), 3), after(*make("sgd", {{"lr", 0.5}}), 3));
}

TEST(ServerOptimizer, MomentumAccumulates) {
  // Velocities 1, 1.5, 1.75 times the update.
  EXPECT_THAT(after(*make("momentum", {{"lr", 1}, {"momentum", 0.5}}), 3), ElementsAre(10 - 4.25F, 10 + 8.5F));
}

TEST(ServerOptimizer, AdamFirstStepMatchesTheFormula) {
  // m = 0.1 u; v = 0.99 eps^2 + 0.01 u^2; step = lr m / (sqrt(v) + eps).
  const double eps = 1e-3;
  const double expected = 0.2 * 0.1 * 2 / (std::sqrt(0.99 * eps * eps + 0.01 * 4) + eps);
  EXPECT_THAT(after(*make("adam", {{"lr", 0.2}, {"epsilon", eps}}), 1)[1], FloatNear(static_cast<float>(10 + expected), 1e-5F));
}

TEST(ServerOptimizer, YogiEqualsAdamOnItsFirstStepFromASmallSecondMoment) {
  // v0 = eps^2 is far below u^2, where both add 0.01 u^2.
  EXPECT_THAT(after(*make("yogi", {{"lr", 0.2}}), 1)[0], FloatNear(after(*make("adam", {{"lr", 0.2}}), 1)[0], 1e-4F));
}

TEST(ServerOptimizer, YogiForgetsSlowlyWhereAdamForgetsFast) {
  // After one large update, small ones shrink Adam's second moment geometrically and Yogi's hardly.
  const auto shrunk = [](const std::string& name) {
    const auto optimizer = make(name, {{"lr", 0.1}, {"beta1", 0}, {"beta2", 0.9}});
    after(*optimizer, 1, {100, 100});
    after(*optimizer, 50, {1, 1});
    Parameters theta(flat_layout("x", 2), {0, 0});
    optimizer->apply(std::vector<float>{1, 1}, theta);
    return -theta.values()[0];
  };
  EXPECT_GT(shrunk("adam"), 3 * shrunk("yogi"));
}

TEST(ServerOptimizer, RefusesTheStateOfAnotherModel) {
  for (const char* name : {"momentum", "adam", "yogi"}) {
    const auto trained = make(name, {});
    after(*trained, 1);
    Record state;
    trained->save(state);
    for (auto& [key, values] : state.arrays) values = Array(std::vector<float>{1});
    const auto other = make(name, {});
    other->load(state);
    EXPECT_THROW(after(*other, 1), Error) << name;
    if (state.arrays.size() == 1) continue;
    state.arrays.begin()->second = Array(std::vector<float>{1, 2});
    EXPECT_THROW(other->load(state), Error) << name;
  }
}

TEST(ServerOptimizer, EveryOneGoesOnFromSavedState) {
  for (const RegistryEntry* entry : server_optimizers().entries()) {
    const auto straight = make(entry->name, {});
    const std::vector<float> expected = after(*straight, 5);
    const auto before = make(entry->name, {});
    Parameters theta(flat_layout("x", 2), {10, 10});
    for (int i = 0; i < 2; ++i) before->apply(std::vector<float>{1, -2}, theta);
    Record state;
    before->save(state);
    const auto resumed = make(entry->name, {});
    resumed->load(state);
    for (int i = 0; i < 3; ++i) resumed->apply(std::vector<float>{1, -2}, theta);
    EXPECT_THAT(theta.values(), testing::ElementsAreArray(expected)) << entry->name;
  }
}

}  // namespace
}  // namespace paretofl
