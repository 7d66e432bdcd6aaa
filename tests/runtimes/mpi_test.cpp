// How MPI jobs end that go wrong: each within a minute, with a clear line and a non-zero exit. What goes right is
// in tests/conformance.
#include "paretofl/runtimes/mpi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "paretofl/core/error.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Ended {
  int status;  ///< 124: timed out
  std::string output;
};

class MpiJob : public testing::Test {
 protected:
  static Ended run(const std::string& job, int ranks = 3) {
    const std::string command = fmt::format("timeout 60 '{}' -np {} '{}' {} 2>&1", mpiexec_path(), ranks, mpi_job_path(), job);
    FILE* pipe = ::popen(command.c_str(), "r");
    Ended ended{-1, {}};
    std::array<char, 4096> buffer;
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) ended.output.append(buffer.data(), count);
    const int status = ::pclose(pipe);
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ended;
  }

  static std::string expect_failure(const std::string& job, const std::string& line, int ranks = 3) {
    const Ended ended = run(job, ranks);
    EXPECT_NE(ended.status, 0);
    EXPECT_NE(ended.status, 124) << "hung";
    EXPECT_THAT(ended.output, HasSubstr(line));
    return ended.output;
  }
};

TEST_F(MpiJob, FollowersGoOnThroughInterrupts) {
  const Ended ended = run("interrupt");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("client 0: answered"));
  EXPECT_THAT(ended.output, HasSubstr("client 1: answered"));
}

TEST_F(MpiJob, ABadRequestEndsTheJob) { expect_failure("bad_request", "paretofl: runtime mpi: rank 1: message: expected the magic"); }

TEST_F(MpiJob, ABadReplyEndsTheJob) { expect_failure("bad_reply", "paretofl: runtime mpi: rank 0: message: expected the magic"); }

TEST_F(MpiJob, ALeaderThatThrowsStopsTheOthers) {
  const std::string output = expect_failure("leader_throws", "the leader has enough");
  EXPECT_THAT(output, Not(HasSubstr("runtime mpi: rank"))) << "no abort: the others end well";
}

TEST_F(MpiJob, ALeaderThatExitsEndsTheJob) { expect_failure("leader_exits", "the leader ended without stopping the others"); }

TEST_F(MpiJob, AFollowerThatThrowsEndsTheJob) { expect_failure("follower_throws", "the follower finds no data"); }

TEST_F(MpiJob, RanksWithOtherSettingsDoNotBegin) {
  const std::string output =
      expect_failure("other_settings", "runtime mpi: rank 2: expected strategy.client_lr 0.05 as on rank 0, found 0.1");
  EXPECT_THAT(output, Not(HasSubstr("answered")));
}

TEST_F(MpiJob, AStoppedRankIsLateAndComesBack) {
  const Ended ended = run("stops_and_goes_on");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_THAT(ended.output, HasSubstr("client 0: late: no reply before the deadline"));
  EXPECT_THAT(ended.output, HasSubstr("client 0: is back"));
}

TEST_F(MpiJob, ARankThatIsStoppedAtTheEndEndsTheJobAfterItsResults) {
  const std::string output = expect_failure("stopped_at_the_end", "runtime mpi: rank 0: rank 1 is silent");
  EXPECT_THAT(output, HasSubstr("the results\n"));
}

TEST_F(MpiJob, ARankThatIsStoppedAtTheStartEndsTheJob) {
  expect_failure("stopped_at_the_start", "expected rank 1 to compare settings within 2 seconds, found it silent");
}

TEST_F(MpiJob, ARankThatDiesEndsTheJob) {
  const std::string output = expect_failure("killed", "signal 9");
  EXPECT_THAT(output, Not(HasSubstr("went on")));
}

TEST_F(MpiJob, RanksOfOtherVersionsDoNotBegin) {
  const std::string output =
      expect_failure("other_version", "rank 1: expected engine.version 0.1.0 (commit a) as on rank 0, found 0.1.0 (commit b)");
  EXPECT_THAT(output, Not(HasSubstr("answered")));
}

TEST_F(MpiJob, AllMayThrow) {
  const std::string output = expect_failure("all_throw", "nobody finds the data");
  EXPECT_THAT(output, Not(HasSubstr("runtime mpi: rank")));
}

TEST_F(MpiJob, SaysThatItListensOnEveryInterface) {
  const std::string warning = "paretofl: runtime mpi: MPI listens on every network interface";
  EXPECT_THAT(run("interrupt").output, HasSubstr(warning));
  ::setenv("OMPI_MCA_btl", "self,vader", 1);  // shared memory alone
  const Ended ended = run("interrupt");
  ::unsetenv("OMPI_MCA_btl");
  EXPECT_EQ(ended.status, 0) << ended.output;
  EXPECT_THAT(ended.output, Not(HasSubstr(warning)));
}

TEST_F(MpiJob, NeedsTwoRanks) {
  expect_failure("interrupt", "runtime mpi: expected a job of at least 2 ranks, such as mpirun -np 2 paretofl ..., found 1", 1);
}

}  // namespace
}  // namespace paretofl
