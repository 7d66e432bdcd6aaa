#include "paretofl/workloads/alignment.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "paretofl/core/error.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/parties/problem.h"
#include "paretofl/tokenizers/byte_tokenizer.h"
#include "tests/images/idx_bytes.h"
#include "tests/simulation.h"
#include "tests/workloads/longrope_folder.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

AlignmentOptions small_alignment() {
  AlignmentOptions options;
  options.clients = 2;
  options.form.max_prompt_tokens = 64;
  options.evaluation_prompts = 20;
  options.ppo.batch_size = 8;
  options.ppo.minibatch_size = 4;
  options.ppo.max_new_tokens = 8;
  return options;
}

std::string error_of(const AlignmentOptions& options, const std::filesystem::path& root = {}) {
  try {
    Alignment(options, {.seed = 1, .data_root = root});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The file of the problem in a party's folder.
void write_problem(const Alignment& workload, const std::filesystem::path& folder) {
  const Problem problem{.workload = "alignment",
                        .clients = workload.num_clients(),
                        .objectives = workload.objective_names(),
                        .settings = {},
                        .facts = workload.facts(),
                        .layout = workload.layout()->slices(),
                        .initial_parameters = {}};
  std::ofstream(folder / Problem::kFile) << problem_text(problem);
}

/// A folder with two files of preference pairs: long prompts in the second.
class PairFiles : public testing::Test {
 protected:
  PairFiles() : folder_(empty_folder("alignment_pairs")) {
    write("short.jsonl", "Hi.");
    write("long.jsonl", std::string(80, 'x'));
  }
  ~PairFiles() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& request) const {
    std::ofstream file(folder_ / name);
    for (int i = 0; i < 40; ++i) {
      file << R"({"chosen": "\n\nHuman: )" << request << i << R"(\n\nAssistant: Yes.", "rejected": "\n\nHuman: )" << request << i
           << R"(\n\nAssistant: No."})" << '\n';
    }
  }

  std::filesystem::path folder_;
};

TEST_F(PairFiles, RewardsAreTheMeansOfThoseOfEachFile) {
  AlignmentOptions options = small_alignment();
  options.form.max_prompt_tokens = 128;
  options.prompts = "short.jsonl,long.jsonl";
  const Alignment workload(options, {.seed = 1, .data_root = folder_});
  ThreadPool pool(1);
  const Evaluation evaluation = workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string name = workload.objective_names()[k];
    const double of_short = evaluation.overall.at("reward/" + name + "/short");
    const double of_long = evaluation.overall.at("reward/" + name + "/long");
    EXPECT_NEAR((of_short + of_long) / 2, evaluation.per_objective.at("reward")[k], 1e-12) << "as many prompts of each";
  }
  options.prompts = "short.jsonl";
  const Alignment one(options, {.seed = 1, .data_root = folder_});
  EXPECT_FALSE(one.evaluate(one.initial_parameters().values(), Split::kTest, pool).overall.contains("reward/letters/short"));
}

// The server's part tells the rewards of each file apart as the simulation does.
TEST_F(PairFiles, TheServersPartEvaluatesAsTheSimulation) {
  AlignmentOptions options = small_alignment();
  options.form.max_prompt_tokens = 128;
  options.prompts = "short.jsonl,long.jsonl";
  const Alignment workload(options, {.seed = 1, .data_root = folder_});
  const auto folder = empty_folder("alignment_server_part");
  workload.write_part(std::nullopt, folder);
  std::ifstream file(folder / "test.jsonl");
  std::string line;
  std::multiset<std::string> tasks;
  while (std::getline(file, line)) tasks.insert(nlohmann::json::parse(line).at("task").get<std::string>());
  EXPECT_EQ(tasks.count("short"), 4U);
  EXPECT_EQ(tasks.count("long"), 4U);

  write_problem(workload, folder);
  const Alignment server(options, {.seed = 1, .data_root = {}, .part = ProblemPart{folder, std::nullopt}});
  ThreadPool pool(1);
  const Parameters theta = workload.initial_parameters();
  const Evaluation expected = workload.evaluate(theta.values(), Split::kTest, pool);
  const Evaluation found = server.evaluate(theta.values(), Split::kTest, pool);
  EXPECT_EQ(found.per_objective, expected.per_objective);
  EXPECT_EQ(found.overall, expected.overall);
  EXPECT_TRUE(found.overall.contains("reward/letters/short"));
  std::filesystem::remove_all(folder);
}

TEST(Alignment, ObjectivesAreNamedRewardsInOrder) {
  const Alignment workload(small_alignment(), {.seed = 1, .data_root = {}});
  EXPECT_THAT(workload.objective_names(), ElementsAre("digits", "letters"));
  EXPECT_FALSE(workload.has_gradients());
  EXPECT_TRUE(workload.has_objective_steps());
  EXPECT_THAT([&] { workload.oracle(0); }, ThrowsMessage<Error>(HasSubstr("found alignment, whose completions are drawn")));
}

TEST(Alignment, AFreshAdapterIsTheReference) {
  const Alignment workload(small_alignment(), {.seed = 1, .data_root = {}});
  ThreadPool pool(2);
  const Evaluation evaluation = workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool);
  EXPECT_NEAR(evaluation.overall.at("kl"), 0, 1e-6);
  for (const double reward : evaluation.per_objective.at("reward")) {
    EXPECT_GT(reward, 0);
    EXPECT_LT(reward, 0.5);
  }
}

TEST(Alignment, CompletionsInInt8AreTheSameOnAnyThreadAndTheUpdateIsThePolicys) {
  AlignmentOptions options = small_alignment();
  options.base.lora_dropout = 0;
  options.ppo.minibatch_size = options.ppo.batch_size;
  options.ppo.generation_weights = "int8";
  const Alignment workload(options, {.seed = 1, .data_root = {}});
  const Parameters theta = workload.initial_parameters();
  struct FirstStep {
    std::vector<double> losses = std::vector<double>(2);
    std::vector<float> jacobian;
    std::map<std::string, std::vector<double>> figures;
  };
  const auto first_step = [&] {
    FirstStep first;
    first.jacobian.resize(2 * theta.size());
    const auto steps = workload.objective_steps(0, {});
    steps->start_round({1, 1, 0});
    steps->jacobian(0, theta.values(), first.losses, first.jacobian);
    first.figures = steps->figures();
    return first;
  };
  const FirstStep here = first_step();
  std::vector<FirstStep> there(2);
  {
    std::jthread one([&] { there[0] = first_step(); });
    std::jthread other([&] { there[1] = first_step(); });
  }
  for (const FirstStep& step : there) {
    EXPECT_EQ(step.losses, here.losses);
    EXPECT_EQ(step.jacobian, here.jacobian);
    EXPECT_EQ(step.figures, here.figures);
  }
  EXPECT_THAT(here.figures.at("kl"), ElementsAre(0)) << "a fresh adapter is the reference";
  EXPECT_THAT(here.figures.at("clipped"), ElementsAre(0));
  EXPECT_THAT(here.losses, testing::Each(testing::DoubleNear(0, 1e-5))) << "whitened advantages under ratios of 1";
}

TEST(Alignment, WritesTheAdapterAndExamples) {
  const Alignment workload(small_alignment(), {.seed = 1, .data_root = {}});
  std::vector<float> theta(workload.layout()->size());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = static_cast<float>(i % 7) / 64;
  const auto folder = empty_folder("alignment_model");
  workload.write_model(theta, folder);
  EXPECT_EQ(read_peft_adapter(folder, *workload.layout()), theta);
  EXPECT_EQ(read_peft_options(folder).rank, 16);
  std::ifstream file(folder / "completions.jsonl");
  std::string line;
  std::size_t lines = 0;
  for (; std::getline(file, line); ++lines) {
    const auto example = nlohmann::json::parse(line);
    EXPECT_THAT(example.at("prompt").get<std::string>(), HasSubstr("Human: "));
    EXPECT_FALSE(example.at("completion").get<std::string>().empty());
    EXPECT_TRUE(example.at("reward").contains("letters"));
  }
  EXPECT_EQ(lines, 8U);
  std::filesystem::remove_all(folder);
}

TEST(Alignment, AlternativesJudgeAtTheLastClients) {
  AlignmentOptions options = small_alignment();
  options.clients = 4;
  options.alternatives = {{"letters", {"length", {}}}};
  options.alternative_share = 0.25;
  const Alignment workload(options, {.seed = 1, .data_root = {}});
  const std::vector<std::size_t> prompts = {0};
  std::vector<Completion> completions(1);
  completions[0].ids = {'a', 'b'};
  for (int client = 0; client < 4; ++client) {
    EXPECT_THAT(workload.task(client).rewards(prompts, completions), ElementsAre(0, testing::DoubleNear(client < 3 ? 1 : 0.02, 1e-12)))
        << client;
  }
  options.alternatives = {{"lettres", {"length", {}}}};
  EXPECT_THAT(error_of(options), HasSubstr("expected names of objectives, found 'lettres'"));
}

TEST(Alignment, DirichletSplitsBySource) {
  AlignmentOptions options = small_alignment();
  options.clients = 4;
  const auto largest_share = [&](const std::string& split) {
    options.split = split;
    options.alpha = 0.05;
    const Alignment workload(options, {.seed = 1, .data_root = {}});
    double sum = 0;
    for (int client = 0; client < 4; ++client) {
      const auto& task = dynamic_cast<const RewardTask&>(workload.task(client));
      std::size_t most = 0;
      for (std::uint32_t source = 0; source < 4; ++source) most = std::max(most, task.count_of_source(source));
      sum += static_cast<double>(most) / static_cast<double>(task.num_prompts());
    }
    return sum / 4;
  };
  EXPECT_LT(largest_share("iid"), 0.5);
  EXPECT_GT(largest_share("dirichlet"), 0.7);
}

TEST(Alignment, FirmLearnsWhatIsPreferred) {
  // A preference so unequal that each run serves one objective; the other is what the base model earns by chance.
  AlignmentOptions options = small_alignment();
  options.clients = 1;
  options.ppo.batch_size = 16;
  options.ppo.minibatch_size = 16;
  options.ppo.kl_coefficient = 0;
  options.ppo.kl_target = 0;
  options.base.lora_dropout = 0;
  options.objectives["letters"].settings.values["set"] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  options.objectives["digits"].settings.values["set"] = "0123456789!#$%&()*+,-./:;<=>?@";
  const Alignment workload(options, {.seed = 1, .data_root = {}});
  ThreadPool pool(1);
  const auto reward = [&](std::span<const float> theta) { return workload.evaluate(theta, Split::kTest, pool).per_objective.at("reward"); };
  const std::vector<double> before = reward(workload.initial_parameters().values());
  for (std::size_t wanted = 0; wanted < 2; ++wanted) {
    std::vector<double> preference = {1e-3, 1e-3};
    preference[wanted] = 1e3;
    Simulation simulation(strategy_named("firm", workload,
                                         {{"cohort_size", std::int64_t{1}},
                                          {"local_steps", std::int64_t{2}},
                                          {"client_lr", 1e-2},
                                          {"optimizer", "adam"},
                                          {"preference", preference}}),
                          workload);
    const std::vector<double> after = reward(simulation.run(1, 40));
    const double gained = after[wanted] - before[wanted];
    EXPECT_GT(gained, 0.2) << wanted;
    EXPECT_GT(gained, after[1 - wanted] - before[1 - wanted] + 0.25) << wanted;
  }
}

TEST_F(PairFiles, PromptsThatAreTooLongAreCounted) {
  AlignmentOptions options = small_alignment();
  options.prompts = "short.jsonl,long.jsonl";
  const Alignment workload(options, {.seed = 1, .data_root = folder_});
  ThreadPool pool(1);
  const Evaluation evaluation = workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool);
  EXPECT_EQ(evaluation.overall.at("prompts_left_out"), 40);
  EXPECT_EQ(workload.task(0).num_prompts() + workload.task(1).num_prompts(), 36U) << "every tenth is held out";
  options.form.max_prompt_tokens = 5;
  EXPECT_THAT(error_of(options, folder_), HasSubstr("found 0 and 0; 80 were longer"));
}

// Every letter ends a completion; and a text that is never drawn.
TEST(Alignment, CompletionsEndWithAStopString) {
  const auto lengths = [](const std::string& stop_strings) {
    AlignmentOptions options = small_alignment();
    options.stop_strings = stop_strings;
    const Alignment workload(options, {.seed = 1, .data_root = {}});
    ThreadPool pool(1);
    const Parameters theta = workload.initial_parameters();
    const double evaluated = workload.evaluate(theta.values(), Split::kTest, pool).overall.at("response_length");
    const auto steps = workload.objective_steps(0, {});
    steps->start_round({1, 1, 0});
    std::vector<double> losses(2);
    std::vector<float> jacobian(2 * theta.size());
    steps->jacobian(0, theta.values(), losses, jacobian);
    return std::pair(evaluated, steps->figures().at("response_length")[0]);
  };
  std::string letters = "a";
  for (char letter = 'b'; letter <= 'z'; ++letter) letters += std::string(",") + letter;
  const auto [evaluated, trained] = lengths("");
  const auto [evaluated_at_letters, trained_at_letters] = lengths(letters);
  EXPECT_LT(evaluated_at_letters, evaluated - 0.5);
  EXPECT_LT(trained_at_letters, trained - 0.5);
  EXPECT_EQ(lengths("never in eight tokens"), std::pair(evaluated, trained));
}

TEST_F(PairFiles, LongPromptsCanLoseTheirOldestTurns) {
  std::ofstream file(folder_ / "turns.jsonl");
  for (int i = 0; i < 40; ++i) {
    const std::string dialogue =
        "\n\nHuman: " + std::string(80, 'x') + "\n\nAssistant: Yes.\n\nHuman: " + std::to_string(i) + "\n\nAssistant:";
    file << nlohmann::json{{"chosen", dialogue + " Yes."}, {"rejected", dialogue + " No."}} << '\n';
  }
  file.close();
  AlignmentOptions options = small_alignment();
  options.prompts = "turns.jsonl";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("found 0 and 0; 40 were longer"));
  options.form.long_prompts = "shortened";
  const Alignment workload(options, {.seed = 1, .data_root = folder_});
  EXPECT_EQ(workload.task(0).num_prompts() + workload.task(1).num_prompts(), 36U);
  EXPECT_LT(workload.task(0).prompt(0).size(), 64U);
}

// A client's part puts its dialogues to the model in the simulation's template.
TEST_F(PairFiles, APartIsInTheTemplateToo) {
  AlignmentOptions options = small_alignment();
  options.prompts = "short.jsonl";
  options.form.chat_template = "zephyr";
  const Alignment workload(options, {.seed = 1, .data_root = folder_});
  const auto folder = empty_folder("alignment_chat_part");
  workload.write_part(0, folder);
  write_problem(workload, folder);
  const Alignment client(options, {.seed = 1, .data_root = {}, .part = ProblemPart{folder, 0}});
  ASSERT_EQ(client.task(0).num_prompts(), workload.task(0).num_prompts());
  for (std::size_t i = 0; i < client.task(0).num_prompts(); ++i) {
    const std::string asked = ByteTokenizer().decode(workload.task(0).prompt(i));
    EXPECT_TRUE(asked.starts_with("<|user|>\nHi.")) << asked;
    EXPECT_EQ(client.task(0).prompt(i), workload.task(0).prompt(i));
  }
  std::filesystem::remove_all(folder);
}

TEST_F(PairFiles, WhatDoesNotFitIsAnError) {
  AlignmentOptions options = small_alignment();
  options.form.max_prompt_tokens = 2045;
  EXPECT_THAT(error_of(options), HasSubstr("of at most the model's 2048 positions, found 2045 + 8"));
  options = small_alignment();
  options.prompts = "short.jsonl,,long.jsonl";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("workload.prompts: expected names separated by"));
  options = small_alignment();
  options.prompts = "absent.jsonl";
  EXPECT_THAT(error_of(options, folder_), HasSubstr("absent.jsonl"));
  options = small_alignment();
  options.clients = 1000;
  EXPECT_THAT(error_of(options), HasSubstr("at most one client per prompt"));
  options = small_alignment();
  options.objectives = {};
  EXPECT_THAT(error_of(options), HasSubstr("expected at least one reward, found none"));
  options = small_alignment();
  options.base.model = folder_.string();
  EXPECT_THAT(error_of(options), HasSubstr(folder_.string()));
}

// Which the model would refuse only in the round that draws such a completion.
TEST(Alignment, CompletionsDoNotCrossTheOriginalLengthOfALongrope) {
  AlignmentOptions options = small_alignment();
  options.base.lora_projections = "all-linear";
  options.base.model = longrope_folder(12).string();
  EXPECT_EQ(error_of(options), "") << "all prompts are longer";
  options.base.model = longrope_folder(50).string();
  EXPECT_THAT(error_of(options),
              HasSubstr("workload: expected prompts of more than 50 tokens, or of at most as many with ppo.max_new_tokens"));
  options.base.model = longrope_folder(200).string();
  EXPECT_EQ(error_of(options), "") << "all prompts and completions are shorter";
  std::filesystem::remove_all(options.base.model);
}

}  // namespace
}  // namespace paretofl
