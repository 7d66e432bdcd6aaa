// Federations of processes on this machine: what they compute is what one process computes, and bad input is one clear line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/apps/run_command.h"
#include "tests/paths.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

class Federate : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Outcome paretofl(const std::string& arguments) const { return run_in_shell("'" + command_path() + "' " + arguments + " 2>&1", folder_); }

  static std::string preset(const std::string& name) { return source_path() + "/experiments/" + name + ".toml"; }

  nlohmann::json summary(const std::string& directory) const {
    std::ifstream file(folder_ / directory / "summary.json");
    return nlohmann::json::parse(file, nullptr, false);
  }

  std::vector<nlohmann::json> rows(const std::string& directory) const {
    std::vector<nlohmann::json> rows;
    std::ifstream file(folder_ / directory / "metrics.jsonl");
    for (std::string line; std::getline(file, line);) rows.push_back(nlohmann::json::parse(line));
    return rows;
  }

  /// `paretofl evaluate` prints the figures of the run's summary, and nothing else.
  void expect_evaluation_of(const std::string& directory) const {
    const Outcome evaluated = paretofl("evaluate --json " + directory);
    const auto found = nlohmann::json::parse(evaluated.out, nullptr, false);
    ASSERT_TRUE(found.is_object()) << evaluated.out;
    for (const char* key : {"test", "overall", "clients"})
      EXPECT_EQ(found.value(key, nlohmann::json()), summary(directory).value(key, nlohmann::json())) << key;
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "federate";
};

TEST_P(Federate, HasTheParametersOfOneProcess) {
  const auto [name, settings] = GetParam();
  const std::string run = preset(name) + " " + settings + " --set seed=5";
  const Outcome alone = paretofl("run " + run + " --dir alone");
  ASSERT_EQ(alone.code, 0) << alone.out;
  const Outcome together = paretofl("federate " + run + " --carrier sockets --dir together");
  ASSERT_EQ(together.code, 0) << together.out;
  EXPECT_EQ(summary("together")["parameters_sha256"], summary("alone")["parameters_sha256"]);
  const auto expected = rows("alone");
  const auto found = rows("together");
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const char* key : {"train", "lambda", "bytes_up", "bytes_down", "federated"})
      EXPECT_EQ(found[i].value(key, nlohmann::json()), expected[i].value(key, nlohmann::json())) << key;
  }

  EXPECT_EQ(summary("together").value("federated", nlohmann::json()), summary("alone").value("federated", nlohmann::json()));
  expect_evaluation_of("together");

  const Outcome further = paretofl("run --resume alone --set rounds=4");
  ASSERT_EQ(further.code, 0) << further.out;
  const Outcome resumed = paretofl("federate --resume together --carrier sockets --set rounds=4");
  ASSERT_EQ(resumed.code, 0) << resumed.out;
  EXPECT_EQ(summary("together")["parameters_sha256"], summary("alone")["parameters_sha256"]) << "after --resume";
}

constexpr const char* kDigits =
    "--set rounds=2 --set workload.clients=4 --set workload.samples_per_client=40 --set workload.batch_size=20 --set "
    "workload.train_images=200 "
    "--set workload.test_images=40 --set strategy.cohort_size=3 --set strategy.local_steps=2 --set checkpoint.every=1 "
    "--set evaluation.federated=true --set workload.held_out_fraction=0.25";
constexpr const char* kQuadratics =
    "--set rounds=2 --set workload.clients=4 --set strategy.cohort_size=3 --set checkpoint.every=1 --set evaluation.federated=true "
    "--set evaluation.every=1";

INSTANTIATE_TEST_SUITE_P(
    Systems, Federate,
    testing::Values(std::pair("fedcmoo/fedcmoo-glyphs", kDigits), std::pair("fedcmoo/fedcmoo_pref-quadratics", kQuadratics),
                    std::pair("firm/firm-quadratics", kQuadratics), std::pair("firm/tfirm-tabular_mdp", kQuadratics),
                    std::pair("fedpref/fedpref-deep_sea_treasure",
                              "--set rounds=2 --set workload.clients=3 --set strategy.local_steps=40 --set checkpoint.every=1"),
                    std::pair("fedmoa/fedmoa-arithmetic",
                              "--set rounds=2 --set workload.clients=3 --set strategy.cohort_size=3 --set workload.model= "
                              "--set checkpoint.every=1 --set workload.grpo.max_new_tokens=4")),
    [](const auto& info) {
      std::string name = info.param.first;
      name = name.substr(name.find('/') + 1);
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

class FederateErrors : public Federate {};

TEST_F(FederateErrors, TheServersTableIsEvaluatedAsItWasInTheRun) {
  std::filesystem::create_directories(folder_ / "towns");
  for (int town = 0; town < 2; ++town) {
    std::ofstream file(folder_ / "towns" / fmt::format("town{}.csv", town));
    file << "area,age,price,sold\n";
    for (int i = 0; i < 60; ++i)
      file << fmt::format("{},{},{},{}\n", 30 + i * 7 % 50, i * 13 % 90, 100 + i * 11 % 70 + 40 * town, i * 3 % 5 < 2);
  }
  std::ofstream(folder_ / "towns.toml")
      << "rounds = 2\ndata.root = \"towns\"\n[strategy]\nname = \"fedcmoo\"\ncohort_size = 2\n"
      << "[workload]\nname = \"table\"\ntargets = [\"price\", \"sold\"]\nlosses = [\"squared\", \"logistic\"]\n";
  const Outcome together = paretofl("federate towns.toml --carrier sockets --dir together");
  ASSERT_EQ(together.code, 0) << together.out;
  expect_evaluation_of("together");
  const Outcome refused = paretofl("evaluate together --data together/federation/parts/client-0");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.out, HasSubstr("evaluate: expected the data of all parties or the server's, found those of client 0 in "));
}

TEST_F(FederateErrors, PartiesSumSecurely) {
  const std::string run = preset("fedcmoo/fsmgda-quadratics") +
                          " --set rounds=2 --set workload.clients=4 --set strategy.cohort_size=3 --set seed=5" +
                          " --set privacy.secure_aggregation=true --set checkpoint.every=1";
  const Outcome alone = paretofl("run " + run + " --dir alone");
  ASSERT_EQ(alone.code, 0) << alone.out;
  const Outcome together = paretofl("federate " + run + " --carrier sockets --dir together");
  ASSERT_EQ(together.code, 0) << together.out;
  EXPECT_EQ(summary("together")["parameters_sha256"], summary("alone")["parameters_sha256"]);
  const auto secret = [&](int client) {
    std::ifstream file(folder_ / "together/federation" / ("client-" + std::to_string(client)) / "state/secret", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(secret(0).size(), 32U);
  EXPECT_NE(secret(0), secret(1));
}

TEST_F(FederateErrors, PartiesAreProtectedByNoise) {
  for (const char* secure : {"false", "true"}) {
    const std::string dir = std::string("noised-") + secure;
    const std::string run = preset("fedcmoo/fsmgda-quadratics") +
                            " --set rounds=2 --set workload.clients=4 --set strategy.cohort_size=4 --set seed=5" +
                            " --set privacy.clip=1 --set privacy.noise_multiplier=1 --set privacy.secure_aggregation=" + secure;
    const Outcome refused = paretofl("federate " + run + " --carrier sockets --dir " + dir);
    EXPECT_EQ(refused.code, 1);
    EXPECT_THAT(refused.out, HasSubstr("checkpoint.every: expected 1 with privacy.noise_multiplier in a federation of parties"));
    std::filesystem::remove_all(folder_ / dir);
    const Outcome together = paretofl("federate " + run + " --set checkpoint.every=1 --carrier sockets --dir " + dir);
    ASSERT_EQ(together.code, 0) << together.out;
    const double before = summary(dir)["epsilon"].get<double>();
    const std::filesystem::path secret = folder_ / dir / "federation/noise_secret";
    EXPECT_EQ(std::filesystem::file_size(secret), 32U);
    EXPECT_EQ(std::filesystem::status(secret).permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    // The noise follows from secrets that no seed tells.
    ASSERT_EQ(paretofl("run " + run + " --dir alone-" + secure).code, 0);
    EXPECT_EQ(summary(std::string("alone-") + secure)["epsilon"], before);
    EXPECT_NE(summary(std::string("alone-") + secure)["parameters_sha256"], summary(dir)["parameters_sha256"]);
    // What was started again may have released a round that it has no record of.
    const Outcome resumed = paretofl("federate --resume " + dir + " --carrier sockets --set rounds=3");
    ASSERT_EQ(resumed.code, 0) << resumed.out;
    ASSERT_EQ(paretofl("run " + run + " --set rounds=4 --dir four-" + secure).code, 0);
    EXPECT_EQ(summary(dir)["epsilon"], summary(std::string("four-") + secure)["epsilon"]);
  }
}

TEST_F(FederateErrors, PartiesHideTheirSingleExamples) {
  const std::string run = preset("fedcmoo/fedcmoo-glyphs") + " --set rounds=2 --set seed=5 --set workload.clients=4" +
                          " --set workload.samples_per_client=40 --set workload.train_images=200 --set workload.test_images=40" +
                          " --set strategy.cohort_size=4 --set strategy.local_steps=2 --set privacy.example_clip=1" +
                          " --set privacy.example_rate=0.1 --set privacy.example_noise_multiplier=1";
  const Outcome refused = paretofl("federate " + run + " --carrier sockets --dir refused");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.out, HasSubstr("checkpoint.every: expected 1 with privacy.example_noise_multiplier in a federation of parties"));
  ASSERT_EQ(paretofl("federate " + run + " --set checkpoint.every=1 --carrier sockets --dir together").code, 0);
  ASSERT_EQ(paretofl("run " + run + " --dir alone").code, 0);
  EXPECT_EQ(summary("alone")["epsilon"], summary("together")["epsilon"]);
  EXPECT_EQ(summary("together")["privacy_unit"], "example");
  EXPECT_FALSE(summary("together").contains("data_fingerprint")) << "by which a guess of the data could be confirmed";
  // The noise follows from the parties' secrets, and each further start counts as a round.
  EXPECT_NE(summary("alone")["parameters_sha256"], summary("together")["parameters_sha256"]);
  ASSERT_EQ(paretofl("federate --resume together --carrier sockets --set rounds=3").code, 0);
  ASSERT_EQ(paretofl("run " + run + " --set rounds=4 --dir four").code, 0);
  EXPECT_EQ(summary("together")["epsilon"], summary("four")["epsilon"]);
}

TEST_F(FederateErrors, EveryPartyHasItsOwnPartAndTheServerHasNone) {
  ASSERT_EQ(paretofl("federate " + preset("fedcmoo/fedcmoo-glyphs") + " " + kDigits + " --carrier sockets --dir r").code, 0);
  const auto there = [&](const std::string& path) { return std::filesystem::exists(folder_ / "r/federation/parts" / path); };
  EXPECT_TRUE(there("client-0/train-images.idx"));
  EXPECT_FALSE(there("server/train-images.idx"));
  const auto mode = std::filesystem::status(folder_ / "r/federation/client-0/state").permissions();
  EXPECT_EQ(mode & (std::filesystem::perms::group_all | std::filesystem::perms::others_all), std::filesystem::perms::none);
}

TEST_F(FederateErrors, BadInputIsOneLine) {
  const auto line = [&](const std::string& arguments) {
    const Outcome outcome = paretofl(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
    return outcome.out;
  };
  const std::string config = preset("fedcmoo/fedcmoo-quadratics") + " " + kQuadratics;
  EXPECT_THAT(line("federate"), HasSubstr("expected either CONFIG or --resume DIR, found neither"));
  EXPECT_THAT(line("federate " + config + " --dir r"), HasSubstr("expected --parties with Flower, found none"));
  EXPECT_THAT(line("federate " + config + " --carrier sockets"), HasSubstr("expected --dir with CONFIG"));
  EXPECT_THAT(line("federate --resume nowhere --carrier sockets"), HasSubstr("nowhere"));
  EXPECT_THAT(line("federate --resume nowhere --parties 2 --set rounds=9"),
              HasSubstr("expected --set with --resume and --carrier sockets"));
  EXPECT_THAT(line("host " + config + " --client 0 --data . --socket s --state t"), HasSubstr("problem.json"));
  EXPECT_THAT(line("run " + config + " --set runtime.name=sockets --dir r"), HasSubstr("runtime.sockets: expected the path"));
  EXPECT_THAT(line("run " + config + " --set runtime.name=flower --dir r"),
              HasSubstr("runtime flower: expected the server of a Flower app"));
  const std::string sockets =
      " --set runtime.name=sockets --set runtime.sockets='none-{client}' --set runtime.reconnect_seconds=0 --dir r2";
  EXPECT_THAT(line("run " + config + sockets), HasSubstr("data.root: expected the server's part of a problem"));
  EXPECT_EQ(paretofl("split " + config + " --out s").code, 0);
  EXPECT_THAT(line("run s/config.toml --set data.root=s/server" + sockets),
              HasSubstr("expected a party to answer, found none of 4; client 0: can't be reached at none-0"));
  EXPECT_THAT(line("run s/config.toml --set data.root=s/server --set runtime.name=sockets --set runtime.sockets=none --dir r4"),
              HasSubstr("runtime.sockets: expected {client} in the path"));
  const std::string lying = " --set adversary.name=sign_flip", refused = "adversary.name: expected none in a federation of parties";
  EXPECT_THAT(line("federate " + config + lying + " --carrier sockets --dir r3"), HasSubstr(refused));
  EXPECT_THAT(line("host " + config + lying + " --client 0 --data . --socket s --state t"), HasSubstr(refused));
  EXPECT_THAT(line("run " + config + lying + " --set runtime.name=sockets --set runtime.sockets='none-{client}' --dir r3"),
              HasSubstr(refused));
}

}  // namespace
}  // namespace paretofl
