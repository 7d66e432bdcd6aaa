#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using nlohmann::json;

const std::string kRollout = command_path() + " rollout ";

class RolloutCommand : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "paretofl_rollout_test";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  json rollout(const std::string& actions, const std::string& arguments) const {
    std::ofstream(folder_ / "actions.json") << actions;
    const Outcome outcome = run_in_shell(kRollout + "--actions actions.json " + arguments, folder_);
    EXPECT_EQ(outcome.code, 0) << arguments;
    return json::parse(outcome.out);
  }

  std::filesystem::path folder_;
};

TEST_F(RolloutCommand, PrintsAnEpisode) {
  const json episode = rollout("[0, 3, 1, 1]", "--env deep-sea-treasure-v0 --json");
  EXPECT_EQ(episode, json({{"reset_obs", {0, 0}},
                           {"obs", {{0, 0}, {0, 1}, {1, 1}, {2, 1}}},
                           {"reward", {{0, -1}, {0, -1}, {0, -1}, {8.2F, -1}}},
                           {"terminated", {false, false, false, true}},
                           {"truncated", {false, false, false, false}}}));
  EXPECT_EQ(rollout("[]", "--env deep-sea-treasure-v0").at("obs"), json::array());
}

TEST_F(RolloutCommand, DrawsFromTheSeed) {
  // To the mine at (0.84, 0.84), whose yield is random.
  std::string actions = "[3,3,5,5,5,5,4";
  for (int i = 0; i < 3; ++i) actions += ",0";
  actions += "]";
  const json one = rollout(actions, "--env minecart-v0 --seed 1");
  EXPECT_EQ(one, rollout(actions, "--env minecart-v0"));
  EXPECT_GT(one.at("obs").back().at(5), 0) << one;
  EXPECT_NE(one, rollout(actions, "--env minecart-v0 --seed 2"));
}

TEST_F(RolloutCommand, StartsFromAGivenState) {
  std::ofstream(folder_ / "state.json") << R"({"qpos": [3, 0.5, 0, 0, 0, 0, 0, 0, 0.1], "qvel": [1, 0, 0, 0, 0, 0, 0, 0, 0]})";
  const json episode = rollout("[[0, 0, 0, 0, 0, 0]]", "--env mo-halfcheetah-v4 --initial-state state.json");
  EXPECT_EQ(episode.at("reset_obs"), json({0.5, 0, 0, 0, 0, 0, 0, 0.1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_NEAR(episode.at("obs")[0][9].get<double>(), -9.81 * 0.05, 0.01);
  EXPECT_NEAR(episode.at("reward")[0][0].get<double>(), 1, 0.1);
  EXPECT_EQ(episode, rollout("[[0, 0, 0, 0, 0, 0]]", "--env mo-halfcheetah-v4 --initial-state state.json --seed 2"));
}

TEST_F(RolloutCommand, HelpHasAnExampleThatHolds) {
  const Outcome help = run_in_shell(kRollout + "--help", folder_);
  const auto line_from = [&](const std::string& start) {
    const auto begin = help.out.find("\n  " + start);
    EXPECT_NE(begin, std::string::npos) << start;
    return help.out.substr(begin + 3, help.out.find('\n', begin + 1) - begin - 3);
  };
  const std::string arguments = line_from("paretofl rollout ").substr(std::string("paretofl rollout ").size());
  const Outcome outcome = run_in_shell(line_from("echo ") + " && " + kRollout + arguments, folder_);
  EXPECT_EQ(outcome.out, line_from("{") + "\n");
}

}  // namespace
}  // namespace paretofl
