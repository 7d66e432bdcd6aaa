#include "paretofl/sweeps/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "paretofl/core/error.h"
#include "paretofl/solvers/weight_solver.h"
#include "tests/sweeps/planned_quadratics.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;

/// In a folder of the test's own.
class Sweep : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  SweepRequest request(const Settings& settings) const {
    SweepRequest request;
    request.settings = {{"quadratics", settings}};
    request.directory = folder_;
    request.overrides = {"rounds=2"};
    request.jobs = 1;
    request.shows_progress = false;
    return request;
  }

  const fs::path folder_ = fs::temp_directory_path() / ("paretofl-sweep-" + std::to_string(::getpid()));
};

/// Adds a solver, a min_norm that ends the process with that exit code where it is made in another process than this one.
void add_exiting_solver(const std::string& name, int code) {
  solvers().add(
      {{name, "ends its process", "none", solvers().at("min_norm").describe}, [code, here = ::getpid()](const Settings& settings) {
         if (::getpid() != here) ::_exit(code);
         return solvers().at("min_norm").make(settings);
       }});
}

std::vector<std::int64_t> threads_of_runs(const SweepPlan& plan) {
  std::vector<std::int64_t> threads;
  for (const PlannedRun& run : plan.runs) threads.push_back(std::get<std::int64_t>(run.config.tables.at("runtime").values.at("threads")));
  return threads;
}

TEST_F(Sweep, NoExitCodeOfAProcessIsTakenForAnEndAsAsked) {
  for (const int code : {125, 126, 137}) {
    const std::string name = "exits_with_" + std::to_string(code);
    add_exiting_solver(name, code);
    const Settings settings =
        parse_config("[strategy]\nname = \"fsmgda\"\nsolver = \"" + name + "\"\n[workload]\nname = \"quadratics\"\n", "test");
    fs::remove_all(folder_);
    const SweepOutcome outcome = sweep(request(settings));
    ASSERT_EQ(outcome.failed.size(), 1U) << code;
    EXPECT_EQ(outcome.failed.front().name, "quadratics");
    EXPECT_EQ(outcome.signal, 0);
  }
}

TEST_F(Sweep, ARunInThisProcessThatItsObserverStopsHasNotFailed) {
  for (const std::size_t jobs : {1U, 2U}) {
    fs::remove_all(folder_);
    SweepRequest asked = request(planned_quadratics());
    asked.in_processes = false;
    asked.jobs = jobs;
    std::vector<bool> stopped;
    asked.observer.after_round = [](const std::string&, const nlohmann::ordered_json&) { return false; };
    asked.observer.on_end = [&](const std::string&, const std::string& failure, bool early) {
      EXPECT_EQ(failure, "");
      stopped.push_back(early);
    };
    EXPECT_TRUE(sweep(asked).failed.empty());
    EXPECT_EQ(stopped, std::vector<bool>{true});
  }
}

TEST_F(Sweep, AConfigKeepsTheThreadsThatItSets) {
  SweepRequest asked =
      request(parse_config("[strategy]\nname = \"fedavg\"\n[workload]\nname = \"quadratics\"\n[runtime]\nthreads = 7\n", "test"));
  asked.settings.emplace_back("others", planned_quadratics("local_steps = 3\n"));
  asked.seeds = parse_seeds("1,2");
  asked.jobs = 4096;
  for (const bool in_processes : {true, false}) {
    fs::remove_all(folder_);
    asked.in_processes = in_processes;
    EXPECT_EQ(threads_of_runs(sweep(asked).plan), (std::vector<std::int64_t>{7, 7, 1, 1}));
  }
  fs::remove_all(folder_);
  asked.axes = {parse_axis("runtime.threads=2,3")};
  EXPECT_EQ(threads_of_runs(sweep(asked).plan), (std::vector<std::int64_t>{2, 2, 3, 3, 2, 2, 3, 3}));
  asked.axes.clear();
  asked.overrides.emplace_back("runtime.threads=5");
  fs::remove_all(folder_);
  EXPECT_EQ(threads_of_runs(sweep(asked).plan), (std::vector<std::int64_t>{5, 5, 5, 5}));
}

TEST_F(Sweep, ARuntimeThatIsNoTableIsRefusedByName) {
  SweepRequest asked = request(planned_quadratics());
  asked.settings.front().second.values["runtime"] = std::int64_t{3};
  EXPECT_THAT([&] { sweep(asked); }, testing::ThrowsMessage<Error>(testing::HasSubstr("runtime")));
}

}  // namespace
}  // namespace paretofl
