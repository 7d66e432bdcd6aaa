// What benchmarks/record_environments.py recorded from MO-Gymnasium, met from the same states under the same actions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "paretofl/environments/environment.h"
#include "paretofl/environments/water_reservoir.h"
#include "tests/golden_file.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using nlohmann::json;
using Numbers = std::vector<double>;
using testing::DoubleNear;
using testing::Pointwise;

json read_recorded(const std::string& id) {
  std::ifstream file(source_path() + "/tests/environments/recorded/" + id + ".json");
  return json::parse(file);
}

Numbers action_of(const json& step) {
  const json& action = step.at("action");
  return action.is_array() ? action.get<Numbers>() : Numbers{action.get<double>()};
}

/// An environment beside its recording.
class Recorded : public testing::TestWithParam<std::string> {
 protected:
  /// Starts an episode in a state of one array, which the environment calls `name`.
  template <class Number>
  void start_in(const std::string& name, const std::vector<Number>& state, std::uint64_t seed) {
    environment_->reset({.seed = seed}, observation_);
    Record record = environment_->save();
    record.records.at("state").arrays.at(name) = Array(state);
    environment_->load(record);
  }
  /// What a step showed, gave and whether it terminated, in one row.
  Numbers take(const json& step) {
    const StepOutcome outcome = environment_->step(action_of(step), observation_, reward_);
    return row(observation_, reward_, outcome.terminated);
  }
  static Numbers recorded_row(const json& step) {
    return row(step.at("observation").get<Numbers>(), step.at("reward").get<Numbers>(), step.at("terminated").get<bool>());
  }
  static Numbers row(const Numbers& observation, const Numbers& reward, bool terminated) {
    Numbers result = observation;
    result.insert(result.end(), reward.begin(), reward.end());
    result.push_back(terminated ? 1 : 0);
    return result;
  }

  json episodes_ = read_recorded(GetParam()).at("episodes");
  std::unique_ptr<Environment> environment_ = make_environment(GetParam());
  Numbers observation_ = Numbers(environment_->spec().observation.size());
  Numbers reward_ = Numbers(environment_->num_objectives());
};

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

using RecordedSea = Recorded;

TEST_P(RecordedSea, IsSearchedAlike) {
  for (const json& episode : episodes_) {
    environment_->reset({.seed = 1}, observation_);
    EXPECT_EQ(observation_, episode.at("start").get<Numbers>());
    for (const json& step : episode.at("steps")) ASSERT_EQ(take(step), recorded_row(step));
  }
}

INSTANTIATE_TEST_SUITE_P(MoGymnasium, RecordedSea, testing::Values("deep-sea-treasure-mirrored-v0"), test_name);

using RecordedCar = Recorded;

// The continuous car computes in float32 there, and in float64 with a rounding after every step here.
TEST_P(RecordedCar, RollsAlike) {
  const bool rounded = !environment_->spec().action.discrete();
  for (const json& episode : episodes_) {
    start_in("car", episode.at("start").get<Numbers>(), 1);
    for (const json& step : episode.at("steps")) ASSERT_THAT(take(step), Pointwise(DoubleNear(rounded ? 1e-5 : 0), recorded_row(step)));
  }
}

INSTANTIATE_TEST_SUITE_P(MoGymnasium, RecordedCar,
                         testing::Values("mo-mountaincar-v0", "mo-mountaincar-3d-v0", "mo-mountaincar-timemove-v0",
                                         "mo-mountaincar-timespeed-v0", "mo-mountaincarcontinuous-v0"),
                         test_name);

class RecordedChances : public Recorded {
 protected:
  /// The outcomes that 100 seeds bring.
  std::set<Numbers> outcomes(const std::string& name, const json& episode) {
    std::set<Numbers> found;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      start_in(name, episode.at("start").get<std::vector<std::int64_t>>(), seed);
      found.insert(take(episode.at("steps")[0]));
    }
    return found;
  }
};

// By state and action, what can happen is what was recorded for some draw.
TEST_P(RecordedChances, AreTheSame) {
  std::map<json, std::set<Numbers>> recorded;
  std::map<json, std::set<Numbers>> found;
  const std::string name = GetParam() == "fishwood-v0" ? "place" : "carrier";
  for (const json& episode : episodes_) {
    const json& step = episode.at("steps")[0];
    const json key = {episode.at("start"), step.at("action")};
    recorded[key].insert(recorded_row(step));
    if (!found.contains(key)) found[key] = outcomes(name, episode);
  }
  EXPECT_EQ(found, recorded);
}

INSTANTIATE_TEST_SUITE_P(MoGymnasium, RecordedChances, testing::Values("breakable-bottles-v0", "fishwood-v0"), test_name);

TEST(RecordedReservoir, FillsAndEmptiesAlike) {
  const json recorded = read_recorded("water-reservoir-v0");
  for (const json& episode : recorded.at("episodes")) {
    const json& step = episode.at("steps")[0];
    const auto start = episode.at("start").get<Numbers>();
    const ReservoirDay day = reservoir_day(start[0], action_of(step)[0], start[1]);
    EXPECT_EQ(Numbers{day.level}, step.at("observation").get<Numbers>());
    EXPECT_EQ(Numbers(day.reward.begin(), day.reward.end()), step.at("reward").get<Numbers>());
  }
}

class RecordedMechanism : public Recorded {
 protected:
  /// Relative to numbers beyond 1.
  void expect_near(const Numbers& found, const json& expected, double tolerance) {
    const auto numbers = expected.get<Numbers>();
    ASSERT_EQ(found.size(), numbers.size());
    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], numbers[k], tolerance * std::max(1.0, std::abs(numbers[k]))) << k;
  }
};

// Of the recording's MuJoCo and this one, solvers end at other roundings. The contacts of ant and humanoid make more of that.
TEST_P(RecordedMechanism, MovesAlike) {
  const bool floating = GetParam().starts_with("mo-ant") || GetParam().starts_with("mo-humanoid");
  const double tolerance = floating ? 0.005 : 1e-6;
  for (const json& episode : episodes_) {
    const json& start = episode.at("start");
    environment_->reset({.seed = 1}, {.qpos = start.at("qpos"), .qvel = start.at("qvel")}, observation_);
    expect_near(observation_, start.at("observation"), 1e-9);
    for (std::size_t t = 0; t < episode.at("steps").size(); ++t) {
      SCOPED_TRACE(t);
      const json& step = episode.at("steps")[t];
      const StepOutcome outcome = environment_->step(action_of(step), observation_, reward_);
      EXPECT_EQ(outcome.terminated, step.at("terminated").get<bool>());
      expect_near(reward_, step.at("reward"), tolerance);
      if (step.contains("observation")) expect_near(observation_, step.at("observation"), tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(MoGymnasium, RecordedMechanism,
                         testing::Values("mo-halfcheetah-v4", "mo-halfcheetah-v5", "mo-hopper-v4", "mo-hopper-2d-v4", "mo-hopper-v5",
                                         "mo-hopper-2obj-v5", "mo-walker2d-v4", "mo-walker2d-v5", "mo-ant-v4", "mo-ant-2d-v4", "mo-ant-v5",
                                         "mo-ant-2obj-v5", "mo-swimmer-v4", "mo-swimmer-v5", "mo-humanoid-v4", "mo-humanoid-v5",
                                         "mo-reacher-v4", "mo-reacher-v5"),
                         test_name);

}  // namespace
}  // namespace paretofl
