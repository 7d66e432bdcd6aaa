#include "paretofl/workloads/preference_pairs.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/parties/problem.h"
#include "tests/images/idx_bytes.h"
#include "tests/simulation.h"

namespace paretofl {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

PreferencePairsOptions small_pairs() {
  PreferencePairsOptions options;
  options.clients = 2;
  options.held_out_every = 5;
  options.dpo.batch_size = 4;
  return options;
}

std::string error_of(const PreferencePairsOptions& options, const std::filesystem::path& root = {}) {
  try {
    PreferencePairs(options, {.seed = 1, .data_root = root});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// A row of a file: Yes is preferred to No.
std::string pair_row(const std::string& prompt, const std::string& dimension) {
  return nlohmann::json{{"prompt", prompt}, {"chosen", "Yes."}, {"rejected", "No."}, {"dimension", dimension}}.dump() + "\n";
}

/// A new folder with what client 1 of two has.
std::filesystem::path part_of_client_1(const PreferencePairs& workload, const std::string& name) {
  const Problem problem{.workload = "preference_pairs",
                        .clients = 2,
                        .objectives = workload.objective_names(),
                        .settings = {},
                        .facts = workload.facts(),
                        .layout = workload.layout()->slices(),
                        .initial_parameters = {}};
  std::filesystem::path folder = empty_folder(name);
  std::ofstream(folder / Problem::kFile) << problem_text(problem);
  workload.write_part(1, folder);
  return folder;
}

/// A folder with files of pairs: one of dialogues for each of two dimensions, and one of both with prompts in common.
class DimensionFiles : public testing::Test {
 protected:
  DimensionFiles() : folder_(empty_folder("dimension_files")) {
    for (const std::string dimension : {"kind", "short"}) {
      std::ofstream file(folder_ / (dimension + ".jsonl"));
      for (int i = 0; i < 40; ++i) {
        const std::string prompt = "\n\nHuman: " + dimension + std::to_string(i) + "\n\nAssistant:";
        file << nlohmann::json{{"chosen", prompt + " Yes."}, {"rejected", prompt + " No."}} << '\n';
      }
    }
    std::ofstream file(folder_ / "both.jsonl");
    for (int i = 0; i < 80; ++i) file << pair_row("Is it " + std::to_string(i / 2) + "?", i % 2 == 0 ? "safe" : "useful");
  }
  ~DimensionFiles() override { std::filesystem::remove_all(folder_); }

  PreferencePairs made(const PreferencePairsOptions& options, std::uint64_t seed = 1) const {
    return {options, {.seed = seed, .data_root = folder_}};
  }

  std::filesystem::path folder_;
};

TEST(PreferencePairsWorkload, AFreshAdapterIsTheReference) {
  const PreferencePairs workload(small_pairs(), {.seed = 1, .data_root = {}});
  EXPECT_THAT(workload.objective_names(), ElementsAre("brief", "polite"));
  EXPECT_TRUE(workload.has_all_objectives());
  ThreadPool pool(2);
  const Evaluation evaluation = workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool);
  EXPECT_THAT(evaluation.per_objective.at("accuracy"), ElementsAre(0.5, 0.5));
  EXPECT_THAT(evaluation.per_objective.at("margin"), ElementsAre(0, 0));
  EXPECT_THAT(evaluation.per_objective.at("loss"), Each(testing::DoubleNear(std::log(2), 1e-12)));
  EXPECT_EQ(evaluation.overall.at("chosen_reward/polite"), 0);
  EXPECT_EQ(evaluation.overall.at("pairs_left_out"), 0);
  std::vector<double> losses(2);
  std::vector<float> gradient(workload.layout()->size());
  workload.oracle(1)->weighted_gradient(workload.initial_parameters().values(), std::vector{0.5, 0.5}, {Random({1}, "test"), 0}, losses,
                                        gradient);
  EXPECT_THAT(losses, Each(testing::DoubleNear(std::log(2), 1e-5)));
}

TEST(PreferencePairsWorkload, TrainingTellsHeldOutPairsInBothDimensions) {
  for (const char* loss : {"sigmoid", "ipo"}) {
    PreferencePairsOptions options = small_pairs();
    options.dpo.loss.loss_type = loss;
    const PreferencePairs workload(options, {.seed = 1, .data_root = {}});
    ThreadPool pool(1);
    Simulation simulation(
        strategy_named("fedavg", workload,
                       {{"cohort_size", std::int64_t{2}}, {"local_steps", std::int64_t{4}}, {"client_lr", 5e-3}, {"optimizer", "adam"}}),
        workload);
    const Evaluation after = workload.evaluate(simulation.run(1, 25), Split::kTest, pool);
    EXPECT_THAT(after.per_objective.at("accuracy"), Each(testing::Ge(0.7))) << loss;
    EXPECT_THAT(after.per_objective.at("margin"), Each(testing::Gt(0.0))) << loss;
  }
}

TEST(PreferencePairsWorkload, ClientsOfOneDimensionTrainEveryDimensionTogether) {
  PreferencePairsOptions options = small_pairs();
  options.clients = 4;
  options.dimensions_per_client = 1;
  const PreferencePairs workload(options, {.seed = 1, .data_root = {}});
  EXPECT_THAT(workload.held_objectives(0), ElementsAre(0));
  EXPECT_THAT(workload.held_objectives(3), ElementsAre(1));
  EXPECT_FALSE(workload.has_all_objectives());
  EXPECT_THAT(workload.objective_factors(1), ElementsAre(0, 2));
  ThreadPool pool(1);
  for (const char* strategy : {"fedcmoo", "fsmgda", "firm"}) {
    Simulation simulation(
        strategy_named(strategy, workload,
                       {{"cohort_size", std::int64_t{4}}, {"local_steps", std::int64_t{4}}, {"client_lr", 5e-3}, {"optimizer", "adam"}}),
        workload);
    const Evaluation after = workload.evaluate(simulation.run(1, 10), Split::kTest, pool);
    EXPECT_THAT(after.per_objective.at("loss"), Each(testing::Lt(std::log(2)))) << strategy;
  }
}

TEST(PreferencePairsWorkload, WritesTheAdapter) {
  const PreferencePairs workload(small_pairs(), {.seed = 1, .data_root = {}});
  std::vector<float> theta(workload.layout()->size());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = static_cast<float>(i % 7) / 64;
  const auto folder = empty_folder("pairs_model");
  workload.write_model(theta, folder);
  EXPECT_EQ(read_peft_adapter(folder, *workload.layout()), theta);
  std::filesystem::remove_all(folder);
}

TEST_F(DimensionFiles, AFileIsADimensionUnlessItsRowsSayTheirs) {
  PreferencePairsOptions options = small_pairs();
  options.files = "short.jsonl,kind.jsonl";
  EXPECT_THAT(made(options).objective_names(), ElementsAre("short", "kind"));
  options.dimensions = "terse,warm";
  EXPECT_THAT(made(options).objective_names(), ElementsAre("terse", "warm"));
  options.files = "both.jsonl";
  options.dimensions = "";
  EXPECT_THAT(made(options).objective_names(), ElementsAre("safe", "useful"));
  options.dimensions = "useful,safe";
  EXPECT_THAT(made(options).objective_names(), ElementsAre("useful", "safe"));
  options.dimensions = "useful";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("workload.dimensions: expected pairs of useful alone, found some of 'safe'"));
}

TEST_F(DimensionFiles, PromptsAreHeldOutOrOfFilesForTesting) {
  PreferencePairsOptions options = small_pairs();
  options.files = "kind.jsonl,short.jsonl";
  EXPECT_EQ(made(options).oracle(0)->num_samples() + made(options).oracle(1)->num_samples(), 64) << "every fifth prompt is held out";
  std::ofstream(folder_ / "test.jsonl") << nlohmann::json{{"chosen", "\n\nHuman: short7\n\nAssistant: a"},
                                                          {"rejected", "\n\nHuman: short7\n\nAssistant: b"}}
                                        << '\n';
  options.test_files = "test.jsonl,test.jsonl";
  EXPECT_EQ(made(options).oracle(0)->num_samples() + made(options).oracle(1)->num_samples(), 79) << "a prompt for testing trains nothing";
  options.test_files = "test.jsonl";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("workload.test_files: expected as many files as workload.files, 2, found 1"));
  options.test_files.clear();
  options.files = "kind.jsonl,./kind.jsonl";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("workload.files: expected different files, found ./kind.jsonl twice"));
}

TEST_F(DimensionFiles, APromptIsOnOneSideInEveryDimension) {
  // Both dimensions have the same prompts, in different orders.
  std::ofstream file(folder_ / "shared.jsonl");
  for (const std::string dimension : {"safe", "useful"}) {
    for (int i = 0; i < 60; ++i) file << pair_row("Is it " + std::to_string(dimension == "safe" ? i : i * 7 % 60) + "?", dimension);
  }
  file.close();
  PreferencePairsOptions options = small_pairs();
  options.files = "shared.jsonl";
  const PreferencePairs workload = made(options);
  const auto folder = empty_folder("pairs_sides");
  std::map<std::string, std::set<std::string>> trained;  // by dimension
  for (int client = 0; client < 2; ++client) {
    workload.write_part(client, folder);
    for (const DimensionPair& pair : read_dimension_pairs(folder / "train.jsonl", {})) trained[pair.dimension].insert(pair.prompt);
  }
  workload.write_part(std::nullopt, folder);
  std::map<std::string, std::set<std::string>> held_out;
  for (const DimensionPair& pair : read_dimension_pairs(folder / "test.jsonl", {})) held_out[pair.dimension].insert(pair.prompt);
  EXPECT_THAT(held_out.at("safe"), SizeIs(12)) << "one of five";
  EXPECT_EQ(held_out.at("safe"), held_out.at("useful"));
  EXPECT_THAT(trained.at("safe"), SizeIs(48));
  EXPECT_EQ(trained.at("safe"), trained.at("useful"));
  for (const std::string& prompt : held_out.at("safe")) EXPECT_FALSE(trained.at("safe").contains(prompt)) << prompt;
  ThreadPool pool(1);
  EXPECT_EQ(workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool).overall.at("pairs_held_out"), 24);
  std::filesystem::remove_all(folder);
}

TEST_F(DimensionFiles, PairsOfEqualCompletionsAreLeftOutAndCounted) {
  std::ofstream file(folder_ / "equal.jsonl");
  for (int i = 0; i < 40; ++i) {
    const std::string prompt = "Is it " + std::to_string(i) + "?";
    const std::string answer = i % 4 == 0 ? "Yes" : i % 4 == 1 ? "Y" : "Non";
    file << nlohmann::json{{"prompt", prompt}, {"chosen", "Yes"}, {"rejected", answer}, {"dimension", "a"}} << '\n'
         << pair_row(prompt, "b");
  }
  file.close();
  PreferencePairsOptions options = small_pairs();
  options.files = "equal.jsonl";
  ThreadPool pool(1);
  const auto counted = [&] {
    const PreferencePairs workload = made(options);
    return workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool).overall.at("pairs_of_equal_completions");
  };
  EXPECT_EQ(counted(), 10) << "equal texts";
  options.max_completion_tokens = 1;
  EXPECT_EQ(counted(), 20) << "texts that begin with the same byte";
}

TEST_F(DimensionFiles, PromptsOfTestFilesAreCountedAndNotTrainedOn) {
  std::ofstream(folder_ / "some.jsonl") << pair_row("Is it 3?", "safe") << pair_row("Is it 4?", "useful");
  PreferencePairsOptions options = small_pairs();
  options.files = "both.jsonl";
  options.test_files = "some.jsonl";
  const PreferencePairs workload = made(options);
  EXPECT_EQ(workload.facts().at("pairs_held_out"), 4) << "two prompts, each in both dimensions";
  options.test_files = "both.jsonl";
  EXPECT_THAT(error_of(options, folder_), AllOf(HasSubstr("expected pairs of the dimension 'safe'"), HasSubstr("found 0 and 40"),
                                                HasSubstr("80 pairs of files have prompts of test_files")));
}

TEST_F(DimensionFiles, LongPromptsAreLeftOutAndLongCompletionsCut) {
  PreferencePairsOptions options = small_pairs();
  options.files = "kind.jsonl,short.jsonl";
  options.max_prompt_tokens = 1 + static_cast<std::int64_t>(std::string("\n\nHuman: short0\n\nAssistant:").size());
  options.max_completion_tokens = 2;
  const PreferencePairs workload = made(options);
  ThreadPool pool(1);
  const Evaluation evaluation = workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool);
  EXPECT_EQ(evaluation.overall.at("pairs_left_out"), 30) << "those on short10 to short39";
  EXPECT_EQ(workload.oracle(0)->num_samples() + workload.oracle(1)->num_samples(), 32 + 8);
  options.max_prompt_tokens = 3;
  EXPECT_THAT(error_of(options, folder_), HasSubstr("pairs of the dimension 'kind' with prompts of at most 3 tokens"));
}

TEST_F(DimensionFiles, PartsComputeWhatTheSimulationDoes) {
  PreferencePairsOptions options = small_pairs();
  options.files = "kind.jsonl,short.jsonl";
  options.dimensions_per_client = 1;
  const PreferencePairs workload = made(options);
  const auto folder = part_of_client_1(workload, "pairs_part");
  const PreferencePairs client(options, {.seed = 1, .data_root = {}, .part = ProblemPart{folder, 1}});
  EXPECT_THAT(client.held_objectives(1), ElementsAre(1));
  std::vector<float> theta(workload.layout()->size(), 0.01F);
  EXPECT_EQ(client.oracle(1)->local_losses(theta), workload.oracle(1)->local_losses(theta));
  EXPECT_FALSE(client.has_split(Split::kTest));

  // A client's own file may hold out pairs, and leave out the name of its only dimension.
  const auto own_row = [](const std::string& n) {
    return nlohmann::json{{"prompt", "Is it " + n + "?"}, {"chosen", "Yes."}, {"rejected", "No."}}.dump() + "\n";
  };
  std::ofstream(folder / "train.jsonl") << own_row("1") << own_row("2");
  std::ofstream(folder / "test.jsonl") << own_row("3");
  const PreferencePairs own(options, {.seed = 1, .data_root = {}, .part = ProblemPart{folder, 1}});
  EXPECT_EQ(own.oracle(1)->num_samples(), 2);
  ThreadPool pool(1);
  const HeldOutFigures figures = own.evaluate_held_out(1, own.initial_parameters().values(), pool);
  EXPECT_THAT(figures.metrics.at("accuracy").samples, ElementsAre(0, 1));
  EXPECT_THAT(figures.metrics.at("accuracy").values, ElementsAre(0, 0.5));

  const auto refused = [&](const std::string& file, const std::string& rows, const std::string& expected) {
    std::ofstream(folder / file) << rows;
    EXPECT_THAT(
        [&] {
          PreferencePairs(options, {.seed = 1, .data_root = {}, .part = ProblemPart{folder, 1}});
        },
        testing::ThrowsMessage<Error>(HasSubstr(expected)));
  };
  refused("test.jsonl", own_row("2"), "test.jsonl: expected prompts that are not in train.jsonl, found one that is: 'Is it 2?'");
  refused("train.jsonl", pair_row("q", "kind"), "train.jsonl: expected no pairs of the dimension 'kind', found 1");
  refused("train.jsonl", R"({"prompt": "q", "chosen": "a", "rejected": "a"})", "train.jsonl: expected a pair of different completions");
  std::filesystem::remove_all(folder);
}

TEST_F(DimensionFiles, OffsetsOfPairsAreInTheirLosses) {
  {
    std::ofstream file(folder_ / "offsets.jsonl");
    for (int i = 0; i < 80; ++i) {
      nlohmann::json row = nlohmann::json::parse(pair_row("Is it " + std::to_string(i / 2) + "?", i % 2 == 0 ? "safe" : "useful"));
      row["gap"] = i % 2 == 0 ? 1.5 : -0.5;
      file << row << '\n';
    }
  }
  PreferencePairsOptions options = small_pairs();
  options.files = "offsets.jsonl";
  options.fields.offset = "gap";
  const PreferencePairs workload = made(options);
  const Parameters reference = workload.initial_parameters();  // whose log-ratios are 0
  const std::span<const float> theta = reference.values();
  ThreadPool pool(1);
  const auto are_the_offsets =
      ElementsAre(testing::DoubleNear(std::log1p(std::exp(1.5)), 1e-5), testing::DoubleNear(std::log1p(std::exp(-0.5)), 1e-5));
  EXPECT_THAT(workload.evaluate(theta, Split::kTest, pool).per_objective.at("loss"), are_the_offsets);
  EXPECT_THAT(workload.oracle(0)->local_losses(theta), are_the_offsets);
  std::vector<double> losses(2);
  std::vector<float> gradient(theta.size());
  workload.oracle(1)->weighted_gradient(theta, std::vector{0.5, 0.5}, {Random({1}, "test"), 0}, losses, gradient);
  EXPECT_THAT(losses, are_the_offsets);

  const auto folder = part_of_client_1(workload, "offsets_part");
  const PreferencePairs client(options, {.seed = 1, .data_root = {}, .part = ProblemPart{folder, 1}});
  EXPECT_EQ(client.oracle(1)->local_losses(theta), workload.oracle(1)->local_losses(theta));
  std::filesystem::remove_all(folder);

  options.dpo.loss.loss_type = "ipo";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("workload.fields.offset: expected no offsets with the loss ipo"));
  options.dpo.loss.loss_type = "sigmoid";
  options.files = "";
  EXPECT_THAT(error_of(options), HasSubstr("workload.fields.offset: expected workload.files with offsets, found none"));
}

TEST_F(DimensionFiles, WhatDoesNotFitIsAnError) {
  PreferencePairsOptions options = small_pairs();
  options.max_prompt_tokens = 2000;
  EXPECT_THAT(error_of(options), HasSubstr("max_prompt_tokens + max_completion_tokens of at most the model's 2048 positions"));
  options = small_pairs();
  options.files = "absent.jsonl";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("absent.jsonl"));
  options = small_pairs();
  options.clients = 1000;
  EXPECT_THAT(error_of(options), HasSubstr("workload.clients: expected a prompt of the dimension 'brief' for each of 1000 clients"));
  options.clients = 2147483647;
  EXPECT_THAT(error_of(options), HasSubstr("expected a prompt of the dimension 'brief' for each of 2147483647 clients, found"));
  options.dimensions_per_client = 1;
  EXPECT_THAT(error_of(options), HasSubstr("expected a prompt of the dimension 'brief' for each of 1073741824 clients, found"));
  options.clients = 1;
  EXPECT_THAT(error_of(options), HasSubstr("workload.clients: expected at least 2, so that each of 2 dimensions has a client, found 1"));
  options = small_pairs();
  options.dpo.loss = {.loss_type = "ipo", .label_smoothing = 0.1};
  EXPECT_THAT(error_of(options), HasSubstr("label_smoothing"));
  options = small_pairs();
  options.dimensions = "brief,brief,polite";
  EXPECT_THAT(error_of(options), HasSubstr("expected distinct names"));
}

}  // namespace
}  // namespace paretofl
