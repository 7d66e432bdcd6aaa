#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

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

}  // namespace
}  // namespace paretofl
