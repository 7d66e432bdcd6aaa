// What `paretofl split` writes, prints and refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "paretofl/files/input_file.h"
#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SplitCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Outcome split(const std::string& arguments) const {
    return run_in_shell("'" + command_path() + "' split " + arguments + " 2>&1", folder_);
  }
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Outcome outcome = split(arguments);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    EXPECT_THAT(outcome.out, testing::AllOf(StartsWith("paretofl: "), HasSubstr(message)));
  }
  bool is_there(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("paretofl_split_" + std::to_string(::getpid()));
};

TEST_F(SplitCommand, WritesAFolderForEachParty) {
  const Outcome outcome = split("fedcmoo-quadratics --set workload.clients=3 --out parts");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, testing::MatchesRegex("parts: quadratics, 3 clients and the server, [0-9]+ bytes; problem [0-9a-f]+\n"));
  for (const char* party : {"client-0", "client-1", "client-2", "server"}) {
    EXPECT_EQ(read_file(folder_ / "parts" / party / "problem.json"), read_file(folder_ / "parts/server/problem.json"));
  }
  EXPECT_FALSE(is_there("parts/client-3"));
  EXPECT_THAT(read_file(folder_ / "parts/config.toml"), HasSubstr("clients = 3"));
  const Outcome printed = split("fedcmoo-quadratics --set workload.clients=3 --out other --json");
  const auto json = nlohmann::json::parse(printed.out);
  EXPECT_EQ(json["clients"], 3);
  EXPECT_THAT(outcome.out, HasSubstr(json["fingerprint"].get<std::string>()));
  std::ofstream(folder_ / "again.toml") << read_file(folder_ / "parts/config.toml");
  EXPECT_THAT(split("again.toml --out again").out, HasSubstr(json["fingerprint"].get<std::string>())) << "config.toml is a whole config";
}

TEST_F(SplitCommand, APartIsNoProblemToRunAlone) {
  ASSERT_EQ(split("fedcmoo-quadratics --set workload.clients=2 --set strategy.cohort_size=2 --set rounds=2 --out parts").code, 0);
  const auto run = [&](const std::string& arguments) {
    return run_in_shell("'" + command_path() + "' run " + arguments + " 2>&1", folder_);
  };
  for (const auto& [folder, owner] : {std::pair("client-0", "client 0"), std::pair("server", "the server")}) {
    const Outcome outcome = run(std::string("parts/config.toml --dir run --set data.root=parts/") + folder);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr(std::string("data.root: expected the data of all parties, found those of ") + owner + " alone"));
    EXPECT_FALSE(is_there("run")) << "one error, before the first round";
  }
  std::filesystem::remove_all(folder_ / "parts/server");  // moved to its machine
  const Outcome resumed = run("--resume parts");
  EXPECT_EQ(resumed.code, 1);
  EXPECT_THAT(resumed.out, HasSubstr("found the parts of a problem, which `paretofl split` has written"));
}

TEST_F(SplitCommand, RefusesAFolderThatIsNotEmpty) {
  const std::string command = "fedcmoo-quadratics --set workload.clients=3 --out parts";
  EXPECT_EQ(split(command).code, 0);
  const std::string before = read_file(folder_ / "parts/client-0/minimizers.json");
  expect_refused(command + " --set seed=2", "split: expected parts to be empty or absent");
  EXPECT_EQ(read_file(folder_ / "parts/client-0/minimizers.json"), before);
  EXPECT_EQ(split("fedcmoo-quadratics --set workload.clients=2 --set seed=2 --out parts --overwrite").code, 0);
  EXPECT_NE(read_file(folder_ / "parts/client-0/minimizers.json"), before);
  EXPECT_FALSE(is_there("parts/client-2")) << "of the earlier split";
  std::ofstream(folder_ / "parts/notes.txt") << "mine";
  expect_refused(command + " --overwrite", "expected an earlier split in parts to overwrite, found notes.txt in it");
  EXPECT_TRUE(is_there("parts/client-1/problem.json"));
  std::ofstream(folder_ / "file") << "mine";
  expect_refused("fedcmoo-quadratics --out file", "split: expected a folder, found the file file");
}

TEST_F(SplitCommand, NeedsTheNameOfAFolder) {
  expect_refused("fedcmoo-quadratics --out ''", "expected the name of a folder to write to, found nothing");
}

TEST_F(SplitCommand, WhatFailsLeavesNoWholeSplit) {
  expect_refused("fedcmoo-quadratics --set workload.clients=0 --out parts", "workload.clients");
  expect_refused("fedcmoo-mnist_fmnist --out parts", "data.root is 'data'");
  EXPECT_FALSE(is_there("parts"));
  expect_refused("no-such-config --out parts", "no-such-config");
  expect_refused("fedcmoo-quadratics", "--out");
  // The largest files do not fit.
  const std::string limited = "fedcmoo-glyphs --set workload.clients=2 --out parts";
  const Outcome outcome = run_in_shell("ulimit -f 200; '" + command_path() + "' split " + limited + " 2>&1", folder_);
  EXPECT_NE(outcome.code, 0) << outcome.out;
  EXPECT_FALSE(is_there("parts/client-0/problem.json"));
  EXPECT_FALSE(is_there("parts/server/problem.json"));
  EXPECT_EQ(split(limited + " --overwrite").code, 0);
  EXPECT_TRUE(is_there("parts/server/problem.json"));
}

}  // namespace
}  // namespace paretofl
