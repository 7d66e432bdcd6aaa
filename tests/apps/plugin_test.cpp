// Parts of a user's own from shared libraries: the example's and those of tests/apps/plugins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kPlugins = plugins_path();
const std::string kExample = kPlugins + "/loss_power.so";
const std::string kWithSolver =
    "run '" + source_path() + "/experiments/fedcmoo/fedcmoo-quadratics.toml' --set rounds=3 --set strategy.solver=loss_power";

class Plugins : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Outcome command(const std::string& arguments, const std::string& before = "") const {
    return run_in_shell(before + " '" + command_path() + "' " + arguments + " 2>&1", folder_);
  }
  nlohmann::json summary(const std::string& directory) const {
    std::ifstream file(folder_ / directory / "summary.json");
    return nlohmann::json::parse(file, nullptr, false);
  }

  fs::path folder_ = fs::temp_directory_path() / ("paretofl_plugins_" + std::to_string(::getpid()));
};

TEST_F(Plugins, ASolverIsListedWithItsFileAndSolves) {
  EXPECT_THAT(command("list solvers --plugin " + kExample).out, testing::ContainsRegex("loss_power .*\\[plugin /.*loss_power.so\\]"));
  EXPECT_THAT(command("list solvers loss_power --json", "PARETOFL_PLUGINS=" + kExample).out, HasSubstr("\"plugin\": \"/"));
  const std::string problem = "weights --solver loss_power --set power=2 -";
  const std::string input = "echo '{\"gramian\": [[1, 0], [0, 1]], \"losses\": [1, 2]}' |";
  const auto json = nlohmann::json::parse(command("--plugin " + kExample + " " + problem, input).out, nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_NEAR(json["lambda"][0].get<double>(), 0.2, 1e-12);
  EXPECT_THAT(command("list solvers").out, testing::Not(HasSubstr("loss_power")));
}

TEST_F(Plugins, TheExampleSaysWhatItReads) {
  const Outcome preference = command(kWithSolver + " --dir run --plugin " + kExample + " --set 'strategy.preference=[1,2,3]'");
  EXPECT_EQ(preference.code, 1);
  EXPECT_THAT(preference.out, HasSubstr("preference"));
  const Outcome noise = command(kWithSolver + " --dir noised --plugin " + kExample +
                                " --set strategy.compressor.name=random_projection --set privacy.clip=1 --set privacy.noise_multiplier=1"
                                " --set privacy.delta=1e-4");
  EXPECT_EQ(noise.code, 0) << noise.out;
}

TEST_F(Plugins, PartsOfEveryKindCanBeAdded) {
  const auto json = nlohmann::json::parse(command("list --json --plugin " + kPlugins + "/copied_parts.so").out, nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json.size(), 14U);
  for (const auto& [kind, parts] : json.items()) EXPECT_EQ(parts.back()["name"], "copied") << kind;
  std::ofstream(folder_ / "c.toml")
      << "rounds = 1\n[strategy]\nname = \"copied\"\n[workload]\nname = \"copied\"\n[runtime]\nname = \"copied\"\n";
  EXPECT_EQ(command("run c.toml --plugin " + kPlugins + "/copied_parts.so --dir run").code, 0);
  EXPECT_EQ(summary("run")["strategy"], "copied");
}

TEST_F(Plugins, TheRunsRecordNamesThemAndGoingOnNeedsThem) {
  ASSERT_EQ(command(kWithSolver + " --dir run --plugin " + kExample).code, 0);
  EXPECT_THAT(summary("run")["plugins"][0]["file"], testing::EndsWith("/loss_power.so"));
  EXPECT_EQ(summary("run")["plugins"][0]["sha256"].get<std::string>().size(), 64U);
  EXPECT_THAT(run_in_shell("cat run/config.toml", folder_).out, HasSubstr("plugins = [\"loss_power.so\"]"));
  const Outcome without = command("run --resume run --set rounds=5");
  EXPECT_EQ(without.code, 1);
  EXPECT_THAT(without.out, HasSubstr("expected the plugin loss_power.so to be loaded, by --plugin FILE or PARETOFL_PLUGINS"));
  EXPECT_EQ(summary("run")["rounds"], 3);
  EXPECT_EQ(command("run --resume run --set rounds=5", "PARETOFL_PLUGINS=" + kExample + ":" + kPlugins + "/copied_parts.so").code, 0)
      << "what else is loaded does not matter";
  EXPECT_EQ(summary("run")["rounds"], 5);
  ASSERT_EQ(command(kWithSolver + " --dir longer --set rounds=5 --plugin " + kExample).code, 0);
  EXPECT_EQ(summary("run")["parameters_sha256"], summary("longer")["parameters_sha256"]);
}

TEST_F(Plugins, GoingOnWithAnotherFileIsToldOf) {
  fs::copy_file(kExample, folder_ / "loss_power.so");
  const std::string plugin = " --plugin loss_power.so";
  ASSERT_EQ(command(kWithSolver + " --dir run" + plugin).code, 0);
  const std::string word = "--resume: expected the plugin loss_power.so of the run (SHA-256";
  EXPECT_THAT(command("run --resume run --set rounds=4" + plugin).out, testing::Not(HasSubstr(word)));
  std::ofstream(folder_ / "loss_power.so", std::ios::app) << "changed";  // the loader does not read what is behind the library
  const Outcome changed = command("run --resume run --set rounds=5" + plugin);
  EXPECT_EQ(changed.code, 0) << changed.out;
  EXPECT_THAT(changed.out, HasSubstr(word));
  EXPECT_THAT(command("run --resume run --set rounds=6" + plugin).out, testing::Not(HasSubstr(word))) << "its checkpoint is of this file";
}

TEST_F(Plugins, AFileThatWasCutOffIsRefused) {
  const std::string content = run_in_shell("cat " + kExample, folder_).out;
  for (const std::size_t size : {std::size_t{70}, content.size() / 8, content.size() / 4, content.size() / 2}) {
    std::ofstream(folder_ / "cut.so", std::ios::binary) << content.substr(0, size);
    const Outcome outcome = command("list solvers --plugin cut.so");
    EXPECT_EQ(outcome.code, 1) << size;
    EXPECT_THAT(outcome.out, HasSubstr("expected the whole of a shared library, found its first " + std::to_string(size) + " bytes"));
  }
}

TEST_F(Plugins, SweepsPassThemOnToTheirRuns) {
  const std::string sweep = "sweep" + kWithSolver.substr(3) + " --over strategy.solver.power=1,2 --dir sweep";
  ASSERT_EQ(command(sweep + " --plugin " + kExample).code, 0);
  EXPECT_THAT(summary("sweep/power=1")["plugins"][0]["file"], testing::EndsWith("/loss_power.so"));
  const Outcome without = command("sweep --resume --dir sweep");
  EXPECT_EQ(without.code, 1);
  EXPECT_THAT(without.out, HasSubstr("paretofl: config: expected the plugin loss_power.so to be loaded"));
  EXPECT_EQ(command("sweep --resume --dir sweep --plugin " + kExample).code, 0);
}

TEST_F(Plugins, PartiesCompareTheirContent) {
  fs::create_directory(folder_ / "other");
  fs::copy_file(kExample, folder_ / "other/loss_power.so");
  const std::string config = kWithSolver.substr(4) + " --set workload.clients=1 --set strategy.cohort_size=1";
  ASSERT_EQ(command("split " + config + " --out parts --plugin " + kExample).code, 0);
  const std::string host = "{ '" + command_path() + "' host " + config +
                           " --client 0 --data parts/client-0 --socket socket-0 --state state --plugin other/loss_power.so 2>host.log & "
                           "trap 'kill $!; wait' EXIT; } &&";
  const std::string server = "run " + config +
                             " --set runtime.name=sockets --set 'runtime.sockets=socket-{client}' --set data.root=parts/server --plugin " +
                             kExample;
  const Outcome same = command(server + " --dir run", host);
  EXPECT_EQ(same.code, 0) << same.out;
  std::ofstream(folder_ / "other/loss_power.so", std::ios::app) << "changed";  // the loader does not read what is behind the library
  const Outcome changed = command(server + " --dir changed", host);
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, testing::ContainsRegex("client 0: expected plugin loss_power.so \\(SHA-256\\) .* at the party, found"));
}

#ifdef PARETOFL_TESTS_MPI
TEST_F(Plugins, EveryRankLoadsThem) {
  const std::string mpi = "'" + mpiexec_path() + "' -np 2";
  const Outcome outcome = command(kWithSolver + " --set runtime.name=mpi --dir mpi --plugin " + kExample, mpi);
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  ASSERT_EQ(command(kWithSolver + " --dir run --plugin " + kExample).code, 0);
  EXPECT_EQ(summary("mpi")["parameters_sha256"], summary("run")["parameters_sha256"]);
}
#endif

TEST_F(Plugins, WhatIsNoneIsOneClearError) {
  std::ofstream(folder_ / "text.so") << "no library";
  std::ofstream(folder_ / "parts.py") << "import paretofl";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"absent.so", "absent.so: expected a shared library, found no such file"},
      {".", "expected a shared library, found no such file"},
      {"text.so", "text.so: expected a shared library that can be loaded, found:"},
      {"parts.py", "parts.py: expected a shared library, found a Python file, which only the command of the Python package loads"},
      {kPlugins + "/no_plugin.so", "expected a library with PARETOFL_PLUGIN, found no function paretofl_plugin in it"},
      {kPlugins + "/throwing.so", "expected it to add its parts, found: the moon is full"},
      {kPlugins + "/taken_name.so", "solver: expected a new name, found 'min_norm', which a part of ParetoFL has"},
      {kPlugins + "/other_build.so", "; found ParetoFL 0.0.1"},
  };
  for (const auto& [file, text] : cases) {
    const Outcome outcome = command("list solvers --plugin " + file);
    EXPECT_EQ(outcome.code, 1) << file;
    EXPECT_THAT(outcome.out, testing::StartsWith("paretofl: plugin ")) << file;
    EXPECT_THAT(outcome.out, HasSubstr(text)) << file;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  }
  EXPECT_EQ(command("list solvers", "PARETOFL_PLUGINS=absent.so").code, 1);
  EXPECT_EQ(command("list --help", "PARETOFL_PLUGINS=absent.so").code, 0) << "help needs no plugin";
}

TEST_F(Plugins, OneFileNameStandsForOnePlugin) {
  fs::copy_file(kExample, folder_ / "loss_power.so");
  EXPECT_THAT(command("list solvers --plugin loss_power.so --plugin " + kExample).out,
              HasSubstr("expected plugins of different file names"));
  EXPECT_EQ(command("list solvers --plugin loss_power.so --plugin ./loss_power.so").code, 0) << "the same file twice is loaded once";
}

TEST_F(Plugins, CarelessPartsAreOneError) {
  const std::string careless = " --dir run --plugin " + kPlugins + "/careless.so";
  const auto refusal = [&](const std::string& setting) {
    const Outcome outcome = command(kWithSolver + " --set " + setting + careless);
    EXPECT_EQ(outcome.code, 1) << outcome.out;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    EXPECT_FALSE(fs::exists(folder_ / "run"));
    return outcome.out;
  };
  EXPECT_THAT(refusal("strategy.solver=null_solver"),
              HasSubstr("careless.so: null_solver: expected its factory to make the part, found a null"));
  EXPECT_THAT(refusal("strategy.solver=one_weight"),
              HasSubstr("solver one_weight: expected 3 weights whose absolute values sum to 1, found 1 that sum to 1"));
  std::ofstream(folder_ / "half.toml") << "rounds = 1\n[strategy]\nname = \"half_strategy\"\n[workload]\nname = \"quadratics\"\n";
  EXPECT_THAT(command("run half.toml" + careless).out, HasSubstr("half_strategy: expected its factory to make the part"));
  EXPECT_THAT(refusal("strategy.solver=throws_seven"), HasSubstr("found one of an unknown type, as a plugin can throw"));
}

}  // namespace
}  // namespace paretofl
