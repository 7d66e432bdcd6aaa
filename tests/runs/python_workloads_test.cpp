#include "paretofl/runs/python_workloads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"
#include "paretofl/runs/run.h"
#include "paretofl/runs/run_config.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr const char* kOfPython = "[strategy]\nname = 'fedavg'\n[workload]\nname = 'python'\nproblem = 'mine.Two'\nfingerprint = 'ab'\n";

TEST(PythonWorkloads, ResumingTheRunOfAPythonProblemSaysHowPythonDoes) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "paretofl_python_workloads_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.toml") << kOfPython;
  RunRequest request;
  request.directory = folder;
  request.resume = true;
  EXPECT_THAT([&] { run(request); },
              ThrowsMessage<Error>("run: expected a workload of this program, found the problem mine.Two of Python code; there, "
                                   "paretofl.run(problem, resume=\"" +
                                   folder.string() + "\") continues the run"));
  std::filesystem::remove_all(folder);
}

TEST(PythonWorkloads, AConfigOfAPythonProblemSaysWhoTrainsOnIt) {
  EXPECT_THAT([] { resolve_config(parse_config(kOfPython, "file")); },
              ThrowsMessage<Error>("config: expected a workload of this program, found the problem mine.Two of Python code; there, "
                                   "paretofl.run(problem, ...) trains on it"));
  const std::string environment = "[strategy]\nname = 'fedavg'\n[workload]\nname = 'python_environment'\nenvironment = 'mine.Maze'\n";
  EXPECT_THAT([&] { resolve_config(parse_config(environment, "file")); },
              ThrowsMessage<Error>(HasSubstr("found the problem mine.Maze of")));
}

TEST(PythonWorkloads, OtherWorkloadsAreNotItsMatter) {
  expect_workload_at_hand({{"workload.name", "quadratics"}}, "run", "there");
  expect_workload_at_hand({{"workload.name", "nothing"}}, "run", "there");
  expect_workload_at_hand({}, "run", "there");
  EXPECT_THAT([] { resolve_config(parse_config("workload = 'nothing'\nstrategy = 'fedavg'", "file")); },
              ThrowsMessage<Error>(HasSubstr("expected one of quadratics")));
}

}  // namespace
}  // namespace paretofl
