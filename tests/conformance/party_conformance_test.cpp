// What every registered workload promises of its parties' folders: a process with one of them alone computes the simulation's bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/files/input_file.h"
#include "paretofl/local/oracle_steps.h"
#include "paretofl/parties/problem.h"
#include "paretofl/runs/problem_split.h"
#include "tests/conformance/small_workload.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using PartyResults = std::vector<std::vector<double>>;

template <class Values>
void add_result(PartyResults& numbers, const Values& values) {
  numbers.emplace_back(values.begin(), values.end());
}

/// What a workload's client computes: its samples, minibatches, local steps and its training on its own.
PartyResults party_results_of(const Workload& workload, int client) {
  PartyResults found;
  const Parameters start = workload.initial_parameters();
  add_result(found, workload.preference(client).weights());
  if (workload.has_gradients()) {
    const auto oracle = workload.oracle(client);
    std::vector<double> losses(oracle->num_objectives());
    std::vector<float> rows(losses.size() * start.size());
    std::vector<float> gradient(start.size());
    found.push_back({oracle->num_samples()});
    for (const std::int64_t step : {0, 7}) {
      const Draw draw{Random({1, 2, static_cast<std::uint32_t>(client)}, "test"), step};
      oracle->jacobian(start.values(), draw, losses, rows);
      add_result(found, losses);
      add_result(found, rows);
      oracle->weighted_gradient(start.values(), std::vector<double>(losses.size(), 0.5), draw, losses, gradient);
      add_result(found, gradient);
    }
  }
  const auto steps = workload.has_objective_steps() ? workload.objective_steps(client, {.local_steps = 2}) : nullptr;
  if (steps != nullptr && dynamic_cast<const OracleSteps*>(steps.get()) == nullptr) {  // those are the oracle's minibatches
    std::vector<double> losses(workload.num_objectives());
    std::vector<float> rows(losses.size() * start.size());
    found.push_back({steps->num_samples()});
    steps->start_round({1, 1, 1});
    for (const std::int64_t step : {0, 1}) {
      steps->jacobian(step, start.values(), losses, rows);
      add_result(found, losses);
      add_result(found, rows);
    }
  }
  if (workload.has_reward_steps() && !workload.has_gradients()) {
    const auto rewarded = workload.reward_steps(client);
    const std::size_t rewards = rewarded->reward_names().size();
    std::vector<float> gradient(start.size());
    std::vector<double> hidden(rewards * rewarded->hidden_size());
    found.push_back({rewarded->num_samples()});
    rewarded->start_round({1, 1, 1});
    rewarded->step(0, start.values(), std::vector<double>(rewards, 1 / static_cast<double>(rewards)), gradient, hidden);
    add_result(found, gradient);
    if (rewarded->has_evaluation()) add_result(found, rewarded->evaluate(start.values()));
  }
  const bool costly = workload.has_objective_steps() || workload.has_reward_steps();
  const int local_steps = costly ? 2 : workload.has_gradients() ? 8 : 80;  // more than an epoch; agents collect before they learn
  std::vector<float> theta(start.values().begin(), start.values().end());
  const auto learner = workload.learner(client, {.local_steps = local_steps, .client_lr = 1e-3, .optimizer = "adam"});
  found.push_back({learner->train(theta, {1, 1, 1}).num_samples});
  add_result(found, theta);
  return found;
}

class PartyWorkloads : public testing::Test {
 protected:
  static void SetUpTestSuite() { write_small_data(folder() / "data"); }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder()); }

  static const std::filesystem::path& folder() {
    static const std::filesystem::path kMade = empty_folder("party_workloads");
    return kMade;
  }
};

class PartyConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  static void SetUpTestSuite() {
    root = empty_folder("party_conformance");
    write_small_data(root / "data");
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(root); }

  /// Splits, and moves the folders; the data are at `data` alone.
  void SetUp() override {
    config_.workload = {GetParam()->name, small_settings(*GetParam(), 0.25)};
    config_.data_root = (root / "data").string();
    moved_ = root / "moved";
    std::filesystem::remove_all(moved_);
    std::filesystem::remove_all(root / "split");
    try {
      outcome_ = split_problem({config_, {}}, root / "split", false);
    } catch (const Error& error) {  // those of plugins and recipes may be of one process alone, if they say so
      ASSERT_THAT(error.what(), testing::HasSubstr("expected one whose data can be split into folders of the parties"));
      GTEST_SKIP() << GetParam()->name << " can't be split";
    }
    std::filesystem::rename(root / "split", moved_);
    elsewhere_ = config_;
    elsewhere_.data_root = (root / "nowhere").string();
  }

  std::unique_ptr<Workload> part(std::optional<int> client) const {
    return make_workload(elsewhere_, ProblemPart{part_folder(moved_, client), client});
  }
  void expect_refused(std::optional<int> client, const std::string& what) const {
    try {
      part(client);
      ADD_FAILURE() << what << ": expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << what;
      EXPECT_THAT(error.what(), HasSubstr(": expected ")) << what;
    }
  }

  static inline std::filesystem::path root;
  RunConfig config_;
  RunConfig elsewhere_;
  std::filesystem::path moved_;
  SplitOutcome outcome_;
};

TEST_P(PartyConformance, EveryPartComputesTheBitsOfTheSimulation) {
  const auto all = make_workload(config_);
  const Parameters start = all->initial_parameters();
  const auto expect_same = [&](const Workload& one) {
    EXPECT_EQ(one.num_clients(), all->num_clients());
    EXPECT_EQ(one.objective_names(), all->objective_names());
    const Parameters found = one.initial_parameters();
    EXPECT_TRUE(std::equal(found.values().begin(), found.values().end(), start.values().begin(), start.values().end()));
    EXPECT_EQ(one.facts(), all->facts());
  };
  EXPECT_EQ(outcome_.clients, 6);
  std::set<PartyResults> different;
  for (const int client : {0, 5}) {
    const auto one = part(client);
    expect_same(*one);
    const PartyResults results = party_results_of(*one, client);
    EXPECT_EQ(results, party_results_of(*all, client)) << client;
    ThreadPool one_thread(1);
    EXPECT_EQ(one->evaluate_held_out(client, start.values(), one_thread), all->evaluate_held_out(client, start.values(), one_thread));
    EXPECT_TRUE(different.insert(results).second) << client;
  }
  const auto server = part(std::nullopt);
  expect_same(*server);
  ThreadPool pool(2);
  for (const Split split : {Split::kValidation, Split::kTest}) {
    if (!server->has_split(split)) {
      const bool takes_all_clients = GetParam()->name == "robust_quadratics" || GetParam()->name == "logistic";
      EXPECT_TRUE(takes_all_clients || !all->has_split(split));
      continue;
    }
    const Evaluation expected = all->evaluate(start.values(), split, pool);
    const Evaluation found = server->evaluate(start.values(), split, pool);
    EXPECT_EQ(found.per_objective, expected.per_objective);
    EXPECT_EQ(found.gramian, expected.gramian);
    for (const auto& [metric, value] : found.overall) EXPECT_EQ(value, expected.overall.at(metric)) << metric;
    for (const auto& [metric, value] : expected.overall) EXPECT_TRUE(found.overall.contains(metric) || metric.starts_with("scalarized"));
    const ClientModels models(start, all->num_clients());
    EXPECT_EQ(server->evaluate_clients(models, split, pool).size(), 6U);
  }
}

TEST_P(PartyConformance, AClientEvaluatesWhatItHoldsOut) {
  const auto one = part(2);
  ThreadPool pool(1);
  const Parameters start = one->initial_parameters();
  for (const Split split : {Split::kValidation, Split::kTest}) {
    if (!one->has_split(split)) continue;
    for (const auto& [metric, values] : one->evaluate(start.values(), split, pool).per_objective) {
      EXPECT_EQ(values.size(), one->num_objectives()) << metric;
      EXPECT_THAT(values, testing::Each(testing::Truly([](double x) { return std::isfinite(x); }))) << metric;
    }
  }
}

TEST_P(PartyConformance, OtherClientsAreElsewhere) {
  const auto one = part(3);
  const auto server = part(std::nullopt);
  const auto expect_elsewhere = [](const std::function<void()>& call, const std::string& owner) {
    EXPECT_THAT(call, ThrowsMessage<Error>(HasSubstr("expected " + owner + ", whose data this process has, found client 2")));
  };
  for (const auto& [workload, owner] : {std::pair(one.get(), "client 3"), std::pair(server.get(), "the server")}) {
    expect_elsewhere([&, w = workload] { w->preference(2); }, owner);
    expect_elsewhere([&, w = workload] { w->learner(2, {.optimizer = "adam"}); }, owner);
    ThreadPool pool(1);
    expect_elsewhere([&, w = workload] { w->evaluate_held_out(2, w->initial_parameters().values(), pool); }, owner);
    if (workload->has_gradients()) expect_elsewhere([&, w = workload] { w->oracle(2); }, owner);
    if (workload->has_objective_steps()) expect_elsewhere([&, w = workload] { w->objective_steps(2, {}); }, owner);
    if (workload->has_reward_steps()) expect_elsewhere([&, w = workload] { w->reward_steps(2); }, owner);
  }
  EXPECT_THAT([&] { one->preference(6); }, ThrowsMessage<Error>(HasSubstr("expected a client below 6, found 6")));
}

TEST_P(PartyConformance, FoldersHoldOnePartyAlone) {
  std::set<std::string> own;
  for (int client = 0; client < 6; ++client) {
    const std::filesystem::path folder = part_folder(moved_, client);
    EXPECT_EQ(read_file(folder / "problem.json"), read_file(part_folder(moved_, std::nullopt) / "problem.json"));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const bool shared = name == "problem.json" || (name == "test.jsonl" && answers_questions(*GetParam()));
      // Preferences may be equal by the distribution, as may processes without heterogeneity.
      if (shared || name == "preference.json" || name == "process.json") continue;
      EXPECT_TRUE(own.insert(read_file(entry.path())).second) << entry.path();
    }
  }
  EXPECT_EQ(read_problem(part_folder(moved_, 0)).settings.count("workload.preferences.name"), 0U);
  std::string agreed = read_file(part_folder(moved_, 0) / "problem.json");
  const std::string named = "\"workload\": \"" + GetParam()->name + "\"";  // which may be preference_pairs
  agreed.replace(agreed.find(named), named.size(), "");
  EXPECT_THAT(agreed, testing::Not(HasSubstr("preference")));
  for (const auto& entry : std::filesystem::directory_iterator(part_folder(moved_, std::nullopt))) {
    const std::string name = entry.path().filename().string();
    EXPECT_FALSE(name.starts_with("train") || name == "preference.json" || name == "minimizers.json" || name == "samples.json") << name;
  }
  EXPECT_EQ(problem_fingerprint(part_folder(moved_, 4)), outcome_.fingerprint);
}

TEST_P(PartyConformance, AnotherProblemIsRefused) {
  elsewhere_.seed = 2;
  EXPECT_THAT([&] { part(0); }, ThrowsMessage<Error>(HasSubstr("problem.json: seed: expected 2, found 1")));
  elsewhere_.seed = 1;
  EXPECT_THAT(
      [&] {
        make_workload(elsewhere_, ProblemPart{part_folder(moved_, 1), 2});
      },
      ThrowsMessage<Error>(HasSubstr("part.json: expected the data of client 2, found those of client 1")));
  EXPECT_THAT(
      [&] {
        make_workload(elsewhere_, ProblemPart{part_folder(moved_, std::nullopt), 2});
      },
      ThrowsMessage<Error>(HasSubstr("expected the data of client 2, found those of the server")));
  const std::filesystem::path file = part_folder(moved_, 0) / "problem.json";
  Problem problem = read_problem(part_folder(moved_, 0));
  problem.initial_parameters = "ab";
  std::ofstream(file) << problem_text(problem);
  EXPECT_THAT([&] { part(0); }, ThrowsMessage<Error>(HasSubstr("problem.json: initial_parameters_sha256: expected ")));
  const std::string other = GetParam()->name == "glyphs" ? "faces" : "glyphs";
  elsewhere_.workload = {other, small_settings(workloads().entry(other), 0.25)};
  EXPECT_THAT([&] { part(1); }, ThrowsMessage<Error>(HasSubstr("problem.json: ")));
}

TEST_P(PartyConformance, DamagedFilesAreOneError) {
  for (const std::optional<int> client : {std::optional<int>(1), std::optional<int>()}) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(part_folder(moved_, client))) files.push_back(entry.path());
    EXPECT_GE(files.size(), 2U);
    for (const std::filesystem::path& file : files) {
      const std::string content = read_file(file);
      const auto write = [&](const std::string& text) { std::ofstream(file, std::ios::binary) << text; };
      const std::string name = file.filename().string();
      write(content + "\n\xff\xfe{");
      expect_refused(client, name + " with more behind it");
      write("");
      expect_refused(client, name + " without content");
      write(content.substr(0, content.size() / 2));
      try {
        part(client);  // whole lines may be left
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << name;
      }
      std::filesystem::remove(file);
      // Rows that a party may hold out or not. One of two files, as of images and labels, is never enough.
      const bool optional = name == "validation.csv" || (client && (name == "test.csv" || name == "test.jsonl"));
      if (!optional) expect_refused(client, name + " missing");
      write(content);
    }
    EXPECT_NO_THROW(part(client));
  }
}

// Those of recipes and plugins may refuse, and are skipped above; what comes with the engine may not.
TEST_F(PartyWorkloads, AllOfThemCanBeSplit) {
  for (const RegistryEntry* entry : workloads().entries()) {
    RunConfig config;
    config.workload = {entry->name, small_settings(*entry, 0.25)};
    config.data_root = (folder() / "data").string();
    EXPECT_NO_THROW(split_problem({config, {}}, folder() / entry->name, false)) << entry->name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PartyConformance, testing::ValuesIn(workloads().entries()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
