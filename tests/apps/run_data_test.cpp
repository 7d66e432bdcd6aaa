#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/run_command.h"
#include "tests/images/idx_bytes.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// `multimnist` on images of a few bytes that `shade` decides.
class RunData : public testing::Test {
 protected:
  void write_data(const std::string& root, std::uint8_t shade) const {
    for (const std::string part : {"train", "t10k"}) {
      Bytes images(20 * 28 * 28), labels(20);
      for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<std::uint8_t>(i * shade >> 3);
      for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint8_t>(i % 10);
      write_bytes(folder_ / root / "mnist" / (part + "-images-idx3-ubyte"), idx_bytes({20, 28, 28}, images));
      write_bytes(folder_ / root / "mnist" / (part + "-labels-idx1-ubyte"), idx_bytes({20}, labels));
    }
  }

  void SetUp() override {
    write_data("one", 3);
    write_data("same", 3);
    write_data("other", 5);
    std::ofstream(folder_ / "c.toml") << "rounds = 2\n[strategy]\nname = \"fedavg\"\ncohort_size = 2\n[workload]\nname = \"multimnist\"\n"
                                         "clients = 2\nsamples_per_client = 10\nbatch_size = 5\n[data]\nroot = \"one\"\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome run(const std::string& arguments) const { return run_in_shell("'" + command_path() + "' run " + arguments + " 2>&1", folder_); }
  long rounds() const { return std::stol(run_in_shell("wc -l < run/metrics.jsonl", folder_).out); }

  fs::path folder_ = empty_folder("run_data");
};

TEST_F(RunData, ARunGoesOnWithTheDataThatItBeganWith) {
  ASSERT_EQ(run("c.toml --dir run").code, 0);
  EXPECT_THAT(run_in_shell("cat run/summary.json", folder_).out, testing::ContainsRegex("\"data_fingerprint\": \"[0-9a-f]{32}\""));
  const Outcome other = run("--resume run --set rounds=4 --set data.root=other");
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("--resume: expected the data and models that the run began with"));
  EXPECT_EQ(rounds(), 2) << "a refused run stays as it was";
  EXPECT_EQ(run("--resume run --set rounds=4 --set data.root=same").code, 0) << "the same data at another place";
  EXPECT_EQ(rounds(), 4);
}

#ifdef PARETOFL_TESTS_MPI
TEST_F(RunData, RanksWithOtherDataDoNotTrainTogether) {
  const auto job = [&](const std::string& second) {
    const std::string rank = " -np 1 '" + command_path() + "' run c.toml --set runtime.name=mpi --overwrite --dir mpi --set data.root=";
    return run_in_shell("'" + mpiexec_path() + "'" + rank + "one :" + rank + second + " 2>&1", folder_);
  };
  const Outcome outcome = job("other");
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("data_read"));
  EXPECT_EQ(job("same").code, 0);
}
#endif

}  // namespace
}  // namespace paretofl
