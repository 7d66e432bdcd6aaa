#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "paretofl/runs/folder_lock.h"
#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// A federation that has run, in the folder `r`.
class FederationFolder : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    const Outcome outcome = federate("--dir r");
    ASSERT_EQ(outcome.code, 0) << outcome.out;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome federate(const std::string& arguments) const {
    const std::string config = source_path() + "/experiments/fedcmoo/fedcmoo-quadratics.toml";
    return run_in_shell("'" + command_path() + "' federate '" + config +
                            "' --set rounds=1 --set workload.clients=2 --set strategy.cohort_size=2 " + "--carrier sockets " + arguments +
                            " 2>&1",
                        folder_);
  }
  Outcome resume() const {
    return run_in_shell("'" + command_path() + "' federate --resume r --carrier sockets --set rounds=2 2>&1", folder_);
  }

  fs::path folder_ = fs::path(testing::TempDir()) / "federation_folder";
};

TEST_F(FederationFolder, IsForItsOwnerAlone) { EXPECT_EQ(fs::status(folder_ / "r/federation").permissions(), fs::perms::owner_all); }

TEST_F(FederationFolder, BadInputLeavesAnEarlierFederationWhole) {
  EXPECT_THAT(federate("--dir r --overwrite --parties 3").out, HasSubstr("expected --parties with Flower alone"));
  EXPECT_EQ(federate("--dir r --overwrite --set workload.dimension=-1").code, 1);
  EXPECT_FALSE(fs::exists(folder_ / "r/federation/parts.new"));
  const Outcome resumed = resume();
  EXPECT_EQ(resumed.code, 0) << resumed.out;
  EXPECT_EQ(federate("--dir r --overwrite").code, 0);
}

TEST_F(FederationFolder, IsForOneFederationAtATime) {
  const FolderLock lock(folder_ / "r/federation", "federation");
  EXPECT_THAT(federate("--dir r --overwrite").out, HasSubstr("expected no other federation at work in r/federation, found one"));
}

TEST_F(FederationFolder, OptionsThatTheRunRefusesLeaveAnEarlierFederationWhole) {
  for (const char* bad : {"strategy.cohort_size=7", "privacy.budget=3", "strategy.solver=modo"}) {
    EXPECT_EQ(federate(std::string("--dir r --overwrite --set ") + bad).code, 1) << bad;
    EXPECT_FALSE(fs::exists(folder_ / "r/federation/earlier"));
  }
  const Outcome resumed = resume();
  EXPECT_EQ(resumed.code, 0) << resumed.out;
}

TEST_F(FederationFolder, AStartThatFailsLeavesNothing) {
  EXPECT_EQ(federate("--dir new --set strategy.cohort_size=7").code, 1);
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  EXPECT_EQ(federate("--dir new").code, 0);
}

TEST_F(FederationFolder, NobodysFilesAreLost) {
  fs::create_directories(folder_ / "mine/federation");
  std::ofstream(folder_ / "mine/federation/thesis.txt") << "years";
  EXPECT_THAT(federate("--dir mine").out, HasSubstr("expected nothing but a federation in mine/federation, found thesis.txt in it"));
  EXPECT_EQ(federate("--dir mine --overwrite").code, 1);
  EXPECT_TRUE(fs::exists(folder_ / "mine/federation/thesis.txt"));

  fs::create_directories(folder_ / "other");
  std::ofstream(folder_ / "other/notes.txt") << "notes";
  EXPECT_THAT(federate("--dir other").out, HasSubstr("expected other to be empty or absent"));
  EXPECT_FALSE(fs::exists(folder_ / "other/federation"));

  std::ofstream(folder_ / "r/federation/thesis.txt") << "years";
  EXPECT_EQ(federate("--dir r --overwrite").code, 1);
  EXPECT_TRUE(fs::exists(folder_ / "r/federation/thesis.txt"));
}

/// What a process leaves that was killed after it had set an earlier federation aside.
TEST_F(FederationFolder, AnEarlierFederationComesBackAfterAKill) {
  const fs::path own = folder_ / "r/federation";
  fs::create_directories(own / "earlier");
  for (const char* name : {"run.json", "config.toml", "parts", "client-0", "client-1"}) fs::rename(own / name, own / "earlier" / name);
  fs::create_directories(own / "parts");
  std::ofstream(own / "config.toml") << "another";
  const Outcome resumed = resume();
  EXPECT_EQ(resumed.code, 0) << resumed.out;
  EXPECT_FALSE(fs::exists(own / "earlier"));
}

/// Or while it set it aside, or put it back: some of its files are where they were, others are not.
TEST_F(FederationFolder, AnEarlierFederationThatWasBeingMovedIsWholeAgain) {
  const fs::path own = folder_ / "r/federation";
  fs::create_directories(own / "moving");
  for (const char* name : {"run.json", "client-0"}) fs::rename(own / name, own / "moving" / name);
  const Outcome resumed = resume();
  EXPECT_EQ(resumed.code, 0) << resumed.out;
  EXPECT_TRUE(fs::exists(own / "client-0/state"));
  EXPECT_FALSE(fs::exists(own / "moving"));
}

TEST_F(FederationFolder, SetsItsRuntimeItself) {
  EXPECT_THAT(federate("--dir x --set runtime.sockets=foo").out, HasSubstr("expected no --set of runtime.name and runtime.sockets"));
  EXPECT_THAT(run_in_shell("'" + command_path() + "' federate --resume r --overwrite --carrier sockets 2>&1", folder_).out,
              HasSubstr("expected --overwrite with CONFIG alone"));
}

}  // namespace
}  // namespace paretofl
