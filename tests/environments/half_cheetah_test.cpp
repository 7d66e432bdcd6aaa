#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mjmodel.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "paretofl/core/error.h"
#include "paretofl/environments/environment.h"
#include "paretofl/environments/locomotion_tasks.h"
#include "tests/data_folder.h"
#include "tests/golden_file.h"

namespace paretofl {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;

class Cheetah : public testing::Test {
 protected:
  void start(const PhysicalState& state) { environment_->reset({.seed = 1}, state, observation_); }
  StepOutcome step(const Numbers& action) { return environment_->step(action, observation_, reward_); }
  Numbers state(const char* name) const {
    const Record record = environment_->save().record("state");
    const auto numbers = record.array(name).doubles();
    return {numbers.begin(), numbers.end()};
  }

  std::unique_ptr<Environment> environment_ = make_environment("mo-halfcheetah-v4");
  Numbers observation_ = Numbers(17);
  Numbers reward_ = Numbers(2);
};

TEST_F(Cheetah, WeighsFourteenKilograms) {
  const mjModel& model = half_cheetah_model().compiled();
  ASSERT_EQ(model.nbody, 8);
  EXPECT_NEAR(std::accumulate(model.body_mass, model.body_mass + 8, 0.0), 14, 1e-12);
}

TEST_F(Cheetah, FallsFreelyAndThenStands) {
  start({.qpos = Numbers(9), .qvel = Numbers(9)});
  for (int i = 1; i <= 2; ++i) {
    step(Numbers(6));
    EXPECT_NEAR(observation_[9], -9.81 * 0.05 * i, 1e-9);
  }
  for (int i = 0; i < 400; ++i) step(Numbers(6));
  EXPECT_LT(observation_[0], 0);
  EXPECT_GT(observation_[0], -0.7);
  for (std::size_t k = 8; k < 17; ++k) EXPECT_NEAR(observation_[k], 0, 1e-3);
}

TEST_F(Cheetah, ObservesWhereItIsExceptAlongItsWay) {
  start({.qpos = {7, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.45}, .qvel = {1, 2, 3, 4, 5, 6, 7, 8, 9}});
  EXPECT_THAT(observation_, testing::ElementsAre(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.45, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  step(Numbers(6));
  EXPECT_FLOAT_EQ(reward_[0], (state("qpos")[0] - 7) / 0.05);
}

TEST_F(Cheetah, PaysForTheActionAsGivenAndMovesAsIfClipped) {
  const PhysicalState rest{.qpos = Numbers(9), .qvel = Numbers(9)};
  start(rest);
  step({1, -1, 1, -1, 1, -1});
  const Numbers clipped = observation_;
  EXPECT_FLOAT_EQ(reward_[1], -0.6);
  start(rest);
  step({2, -2, 2, -2, 2, -2});
  EXPECT_EQ(observation_, clipped);
  EXPECT_FLOAT_EQ(reward_[1], -2.4);
}

TEST_F(Cheetah, StartsAroundItsInitialState) {
  double square = 0;
  double highest = 0;
  constexpr int kResets = 300;
  for (std::uint64_t seed = 0; seed < kResets; ++seed) {
    environment_->reset({.seed = seed}, observation_);
    for (const double coordinate : state("qpos")) highest = std::max(highest, std::abs(coordinate));
    for (const double velocity : state("qvel")) square += velocity * velocity;
  }
  EXPECT_LE(highest, 0.1);
  EXPECT_GT(highest, 0.099);
  EXPECT_NEAR(std::sqrt(square / (9 * kResets)), 0.1, 0.006);
}

TEST_F(Cheetah, RefusesStatesItCannotBeIn) {
  const auto reset_to = [this](std::size_t nq, std::size_t nv, double value) {
    return [this, state = PhysicalState{.qpos = Numbers(nq, value), .qvel = Numbers(nv)}] { start(state); };
  };
  EXPECT_THAT(reset_to(8, 9, 0), ThrowsMessage<Error>(HasSubstr("mo-halfcheetah-v4: expected 9 numbers of qpos, found 8")));
  EXPECT_THAT(reset_to(9, 10, 0), ThrowsMessage<Error>(HasSubstr("expected 9 numbers of qvel, found 10")));
  EXPECT_THAT(reset_to(9, 9, std::nan("")), ThrowsMessage<Error>(HasSubstr("within +-1e10, found nan")));
  EXPECT_THAT(reset_to(9, 9, 1e11), ThrowsMessage<Error>(HasSubstr("within +-1e10, found 100000000000")));
  EXPECT_THROW(step(Numbers(6)), Error);  // nothing has started
}

TEST_F(Cheetah, SaysThatItDiverges) {
  start({.qpos = Numbers(9), .qvel = Numbers(9, 1e9)});
  EXPECT_THAT(
      [this] {
        for (int i = 0; i < 100; ++i) step(Numbers(6));
      },
      ThrowsMessage<Error>(HasSubstr("found one that diverges")));
  EXPECT_THAT([this] { step(Numbers(6)); }, ThrowsMessage<Error>(HasSubstr("expected a reset after the episode's end")));
  environment_->reset(observation_);
  EXPECT_NO_THROW(step(Numbers(6)));
}

class GoldenCheetah : public Cheetah {
 protected:
  void SetUp() override {
    PARETOFL_NEEDS_DATA("../golden/halfcheetah.json.gz");
    recording_ = read_gzipped_json(golden_folder() / "halfcheetah.json.gz");
  }

  json recording_;
};

TEST_F(GoldenCheetah, CompilesToTheRecordedModel) {
  const mjModel& model = half_cheetah_model().compiled();
  const auto expect_alike = [&](const char* name, const double* values) {
    const auto expected = recording_.at(name).get<Numbers>();
    EXPECT_THAT(Numbers(values, values + expected.size()), Pointwise(testing::DoubleNear(1e-12), expected)) << name;
  };
  EXPECT_EQ(model.nq, recording_.at("nq"));
  EXPECT_EQ(model.nv, recording_.at("nv"));
  EXPECT_EQ(model.nu, recording_.at("nu"));
  EXPECT_EQ(model.nbody, recording_.at("nbody"));
  EXPECT_EQ(model.ngeom, recording_.at("ngeom"));
  EXPECT_EQ(model.opt.integrator, recording_.at("integrator"));
  EXPECT_EQ(model.opt.solver, recording_.at("solver"));
  EXPECT_EQ(model.opt.iterations, recording_.at("iterations"));
  EXPECT_EQ(model.opt.cone, recording_.at("cone"));
  EXPECT_EQ(model.opt.jacobian, recording_.at("jacobian"));
  EXPECT_EQ(model.opt.timestep, recording_.at("timestep"));
  EXPECT_EQ(model.opt.tolerance, recording_.at("tolerance"));
  expect_alike("body_mass", model.body_mass);
  expect_alike("body_pos", model.body_pos);
  expect_alike("body_ipos", model.body_ipos);
  expect_alike("body_iquat", model.body_iquat);
  expect_alike("body_inertia", model.body_inertia);
  expect_alike("body_invweight0", model.body_invweight0);
  expect_alike("dof_invweight0", model.dof_invweight0);
  expect_alike("dof_M0", model.dof_M0);
  expect_alike("dof_damping", model.dof_damping);
  expect_alike("dof_armature", model.dof_armature);
  expect_alike("jnt_stiffness", model.jnt_stiffness);
  expect_alike("jnt_range", model.jnt_range);
  expect_alike("jnt_solref", model.jnt_solref);
  expect_alike("jnt_solimp", model.jnt_solimp);
  expect_alike("jnt_margin", model.jnt_margin);
  expect_alike("geom_size", model.geom_size);
  expect_alike("geom_pos", model.geom_pos);
  expect_alike("geom_quat", model.geom_quat);
  expect_alike("geom_friction", model.geom_friction);
  expect_alike("geom_solref", model.geom_solref);
  expect_alike("geom_solimp", model.geom_solimp);
  expect_alike("actuator_gear", model.actuator_gear);
  expect_alike("actuator_ctrlrange", model.actuator_ctrlrange);
  expect_alike("qpos0", model.qpos0);
}

// Contacts make the motion chaotic, so the rounding of another machine's sines grows: 1e-6 is asked for 50 steps.
TEST_F(GoldenCheetah, RunsAlike) {
  ASSERT_GE(recording_.at("runs").size(), 6);
  for (const json& run : recording_.at("runs")) {
    SCOPED_TRACE(run.at("run").get<int>());
    start({.qpos = run.at("qpos0"), .qvel = run.at("qvel0")});
    for (std::size_t t = 0; t < 50; ++t) {
      SCOPED_TRACE(t);
      const json& expected = run.at("steps")[t];
      EXPECT_FALSE(step(expected.at("a")).ended());
      ASSERT_THAT(state("qpos"), Pointwise(testing::DoubleNear(1e-6), expected.at("qpos").get<Numbers>()));
      ASSERT_THAT(state("qvel"), Pointwise(testing::DoubleNear(1e-6), expected.at("qvel").get<Numbers>()));
      ASSERT_NEAR(reward_[0], expected.at("reward_run").get<double>(), 1e-6);
      ASSERT_NEAR(reward_[1], expected.at("reward_ctrl").get<double>(), 1e-6);
    }
  }
}

// 100 recorded episodes against 10 here: five standard errors of the difference.
TEST_F(GoldenCheetah, HasTheRecordedStatisticsUnderUniformActions) {
  std::ifstream file(golden_folder() / "halfcheetah_stats.json");
  const json expected = json::parse(file);
  constexpr int kEpisodes = 10;
  std::array<double, 2> mean{};
  Random random({.seed = 4}, "actions");
  Numbers action(6);
  for (std::uint64_t episode = 0; episode < kEpisodes; ++episode) {
    environment_->reset({.seed = episode}, observation_);
    StepOutcome outcome;
    while (!outcome.ended()) {
      environment_->spec().action.sample(random, action);
      outcome = step(action);
      for (std::size_t k = 0; k < 2; ++k) mean[k] += reward_[k] / kEpisodes;
    }
    EXPECT_TRUE(outcome.truncated);
  }
  const double tolerance = 5 * std::sqrt(1 / 100.0 + 1.0 / kEpisodes);
  EXPECT_NEAR(mean[0], expected.at("mean_return_run").get<double>(), tolerance * expected.at("std_return_run").get<double>());
  EXPECT_NEAR(mean[1], expected.at("mean_return_ctrl").get<double>(), tolerance * expected.at("std_return_ctrl").get<double>());
}

}  // namespace
}  // namespace paretofl
