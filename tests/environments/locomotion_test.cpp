#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mjmodel.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "paretofl/environments/environment.h"
#include "paretofl/environments/locomotion_tasks.h"

namespace paretofl {
namespace {

using Numbers = std::vector<double>;
using testing::ElementsAre;
using testing::SizeIs;

/// A robot under actions; remembers the last step.
class Robot {
 public:
  explicit Robot(std::string_view id, std::uint64_t seed = 1)
      : environment(make_environment(id)),
        action(environment->spec().action.size()),
        observation(environment->spec().observation.size()),
        reward(environment->num_objectives()) {
    environment->reset({.seed = seed}, observation);
  }

  void start(const PhysicalState& state) { environment->reset({.seed = 1}, state, observation); }
  StepOutcome step() { return environment->step(action, observation, reward); }
  Numbers state(const char* name) const {
    const Record record = environment->save().record("state");
    const auto numbers = record.array(name).doubles();
    return {numbers.begin(), numbers.end()};
  }

  std::unique_ptr<Environment> environment;
  Numbers action;
  Numbers observation;
  Numbers reward;
};

double squares(std::span<const double> numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return sum;
}

TEST(Locomotion, IsSeenInThePublishedSizes) {
  const std::map<std::string, std::array<std::size_t, 3>> sizes = {
      {"mo-halfcheetah-v5", {17, 6, 2}}, {"mo-hopper-v5", {11, 3, 3}},    {"mo-hopper-2obj-v5", {11, 3, 2}},
      {"mo-walker2d-v5", {17, 6, 2}},    {"mo-ant-v4", {27, 8, 3}},       {"mo-ant-2d-v4", {27, 8, 2}},
      {"mo-ant-v5", {105, 8, 3}},        {"mo-ant-2obj-v5", {105, 8, 2}}, {"mo-swimmer-v5", {8, 2, 2}},
      {"mo-humanoid-v4", {376, 17, 2}},  {"mo-humanoid-v5", {348, 17, 2}}};
  for (const auto& [id, expected] : sizes) {
    const Robot robot(id);
    EXPECT_THAT(robot.observation, SizeIs(expected[0])) << id;
    EXPECT_THAT(robot.action, SizeIs(expected[1])) << id;
    EXPECT_THAT(robot.reward, SizeIs(expected[2])) << id;
  }
  EXPECT_THAT(make_environment("mo-ant-v5")->spec().objective_names, ElementsAre("x_velocity", "y_velocity", "effort"));
  EXPECT_EQ(make_environment("mo-humanoid-v5")->spec().action.high[16], 0.4);
}

TEST(Locomotion, StartsAroundTheInitialState) {
  for (const auto& [id, task] : locomotion_tasks()) {
    SCOPED_TRACE(id);
    const Robot robot(id, 7);
    const Numbers qpos = robot.state("qpos");
    const MujocoModel::Sizes sizes = task.model().sizes();
    ASSERT_THAT(qpos, SizeIs(sizes.coordinates));
    EXPECT_GT(squares(robot.state("qvel")), 0);
    EXPECT_LE(std::abs(qpos[0]), task.start_noise);
    if (task.floating) {
      EXPECT_NEAR(squares(std::span(qpos).subspan(3, 4)), 1, 1e-12);
    }
    EXPECT_EQ(robot.observation[0], qpos[task.unseen]);
  }
}

TEST(Locomotion, PaysForTheLastStepInVersionFourOnly) {
  for (const auto& [id, survival] : {std::pair("mo-hopper-v", 1), {"mo-walker2d-v", 1}, {"mo-humanoid-v", 5}}) {
    Robot four(id + std::string("4"));
    Robot five(id + std::string("5"));
    PhysicalState high{.qpos = five.state("qpos"), .qvel = Numbers(five.state("qvel").size())};
    high.qpos[id == std::string("mo-humanoid-v") ? 2 : 1] = 1.95;  // in the air, where contacts and feet make no difference
    for (const double pushed : {0.0, 9.0}) {
      high.qvel[id == std::string("mo-humanoid-v") ? 2 : 1] = pushed;
      if (id == std::string("mo-hopper-v")) high.qpos[2] = pushed / 9;  // a hopper ends by its tilt
      four.start(high);
      five.start(high);
      const bool ended = four.step().terminated;
      EXPECT_EQ(five.step().terminated, ended) << id;
      EXPECT_EQ(ended, pushed > 0) << id;
      for (std::size_t k = 0; k < four.reward.size(); ++k) EXPECT_NEAR(four.reward[k] - five.reward[k], ended ? survival : 0, 1e-5) << id;
    }
  }
}

TEST(Locomotion, SharesTheEffortWhereItIsNoObjective) {
  for (const auto& [plain, shared, weight] : {std::tuple("mo-hopper-v5", "mo-hopper-2obj-v5", 0.001),
                                              {"mo-hopper-v4", "mo-hopper-2d-v4", 0.001},
                                              {"mo-ant-v5", "mo-ant-2obj-v5", 0.5}}) {
    Robot three(plain);
    Robot two(shared);
    std::fill(three.action.begin(), three.action.end(), 0.5);
    two.action = three.action;
    three.step();
    two.step();
    EXPECT_EQ(three.observation, two.observation);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(two.reward[k], three.reward[k] - weight * squares(three.action), 1e-6) << shared;
  }
}

TEST(Locomotion, TakesAntsContactForcesFromEveryObjective) {
  Robot four("mo-ant-v4");
  Robot five("mo-ant-v5");
  int touched = 0;
  for (int t = 0; t < 30; ++t) {
    EXPECT_EQ(four.step().terminated, five.step().terminated);
    const auto forces = std::span(five.observation).subspan(27);
    EXPECT_LE(*std::max_element(forces.begin(), forces.end()), 1);
    EXPECT_GE(*std::min_element(forces.begin(), forces.end()), -1);
    const double cost = 0.0005 * squares(forces);
    touched += cost > 0 ? 1 : 0;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(five.reward[k], four.reward[k] - cost, 1e-6);
  }
  EXPECT_GT(touched, 0);
}

TEST(Locomotion, LeavesTheWorldOutOfWhatHumanoidSeesInVersionFive) {
  Robot four("mo-humanoid-v4");
  Robot five("mo-humanoid-v5");
  for (int t = 0; t < 10; ++t) {
    four.step();
    five.step();
  }
  const auto seen = std::span(four.observation);
  Numbers expected(seen.begin(), seen.begin() + 45);
  // Of each array, the world's row or the root's six degrees of freedom are left out.
  for (const auto& [first, size, omitted] : {std::tuple(45, 140, 10), {185, 84, 6}, {269, 23, 6}, {292, 84, 6}}) {
    expected.insert(expected.end(), seen.begin() + first + omitted, seen.begin() + first + size);
  }
  EXPECT_EQ(five.observation, expected);
  EXPECT_EQ(five.observation[45 + 9], humanoid_model().compiled().body_mass[1]) << "a row of inertias ends with the body's mass";
}

}  // namespace
}  // namespace paretofl
