#include "paretofl/workloads/reasoning.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/language/peft_adapter.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/tokenizers/byte_tokenizer.h"
#include "tests/images/idx_bytes.h"
#include "tests/simulation.h"
#include "tests/workloads/longrope_folder.h"

namespace paretofl {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

const WorkloadContext kContext{.seed = 1, .data_root = {}};

Component small_set(const std::string& name) {
  return {
      name,
      {{{"training_questions", std::int64_t{60}}, {"validation_questions", std::int64_t{20}}, {"test_questions", std::int64_t{24}}}, {}}};
}

/// Six clients: four on sums with two sets of rewards, two on expressions.
ReasoningOptions small_reasoning() {
  ReasoningOptions options;
  options.clients = 6;
  options.tasks = {{"expressions", small_set("expressions")}, {"sums", small_set("sums")}};
  options.rewards["length"] = {"length", {{{"target", std::int64_t{8}}, {"width", std::int64_t{8}}}, {}}};
  options.groups = "sums:accuracy+format,sums:accuracy+length,expressions:accuracy+tag_count";
  options.max_prompt_tokens = 32;
  options.evaluation_questions = 20;
  options.grpo.prompts = 4;
  options.grpo.completions = 4;
  options.grpo.max_new_tokens = 8;
  return options;
}

std::string error_of(const ReasoningOptions& options) {
  try {
    const Reasoning workload(options, kContext);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string text_of(const QuestionTask& task, std::size_t prompt) { return ByteTokenizer().decode(task.prompt(prompt), true); }

std::set<std::string> texts_of(const QuestionTask& task) {
  std::set<std::string> texts;
  for (std::size_t i = 0; i < task.num_prompts(); ++i) texts.insert(text_of(task, i));
  return texts;
}

TEST(Reasoning, GroupsAreConsecutiveSharesWithRewardsOfTheirOwn) {
  const Reasoning workload(small_reasoning(), kContext);
  EXPECT_EQ(workload.num_clients(), 6);
  EXPECT_THAT(workload.objective_names(), ElementsAre("accuracy", "format", "length", "tag_count"));
  for (int client = 0; client < 6; ++client) {
    const QuestionTask& task = workload.task(client);
    EXPECT_EQ(task.label(), client < 4 ? "sums" : "expressions");
    EXPECT_THAT(task.reward_names(), ElementsAre("accuracy", client < 2 ? "format" : client < 4 ? "length" : "tag_count"));
    EXPECT_EQ(workload.preference(client)[0], 0.5);
    EXPECT_EQ(workload.preference(client)[client < 2 ? 1 : client < 4 ? 2 : 3], 0.5);
  }
  EXPECT_FALSE(workload.has_gradients());
  EXPECT_FALSE(workload.has_objective_steps());
  EXPECT_TRUE(workload.has_reward_steps());
  EXPECT_THAT([&] { workload.oracle(0); }, ThrowsMessage<Error>(HasSubstr("found reasoning, whose completions are drawn")));
  EXPECT_EQ(workload.reward_steps(4)->task(), "expressions");
}

TEST(Reasoning, ClientsOfATaskSplitItsQuestions) {
  const Reasoning workload(small_reasoning(), kContext);
  std::set<std::string> all;
  for (int client = 0; client < 4; ++client) {
    EXPECT_EQ(workload.task(client).num_prompts(), 15U);
    all.merge(texts_of(workload.task(client)));
  }
  EXPECT_EQ(all.size(), 60U);
  EXPECT_EQ(workload.task(4).num_prompts(), 30U);
  for (const std::string& text : texts_of(*workload.task(0).held_out())) EXPECT_FALSE(all.contains(text)) << text;
  EXPECT_EQ(workload.task(0).held_out()->num_prompts(), 20U) << "evaluation_questions";

  ReasoningOptions other = small_reasoning();
  other.clients = 3;
  EXPECT_NE(texts_of(Reasoning(other, {.seed = 2, .data_root = {}}).task(0)), texts_of(Reasoning(other, kContext).task(0)));
}

TEST(Reasoning, WrongReferencesAreOfTheClientsThatTheSharesSay) {
  ReasoningOptions options;
  options.clients = 4;
  options.tasks = {{"sums", {"sums", {{{"training_questions", std::int64_t{200}}}, {}}}}};
  options.wrong_references = {0, 0.5};
  const Reasoning workload(options, {.seed = 1, .data_root = {}});
  options.wrong_references = {};
  const Reasoning honest(options, {.seed = 1, .data_root = {}});
  for (int client = 0; client < 4; ++client) {
    const auto& mixed = dynamic_cast<const RewardQuestions&>(workload.task(client)).texts().prompts();
    const auto& right = dynamic_cast<const RewardQuestions&>(honest.task(client)).texts().prompts();
    ASSERT_EQ(mixed.size(), 50U);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 50; ++i) {
      EXPECT_EQ(mixed[i].text, right[i].text);
      wrong += mixed[i].reference != right[i].reference;
    }
    if (client % 2 == 0) {
      EXPECT_EQ(wrong, 0U);
    } else {
      EXPECT_LE(wrong, 25U);
      EXPECT_GE(wrong, 20U) << "two questions may have the same answer";
    }
    EXPECT_EQ(workload.task(client).held_out()->num_prompts(), honest.task(client).held_out()->num_prompts());
  }
}

TEST(Reasoning, RewardsCompareWithTheQuestionsOwnReference) {
  const Reasoning workload(small_reasoning(), kContext);
  const QuestionSet sums = question_sets().at("sums").make(small_set("sums").settings, {.seed = 1, .data_root = {}});
  const QuestionTask& task = workload.task(0);
  std::size_t judged = 0;
  for (const Question& question : sums.training) {
    for (std::size_t i = 0; i < task.num_prompts(); ++i) {
      if (text_of(task, i) != question.prompt + "\n") continue;
      std::vector<Completion> completions(2);
      completions[0].ids = ByteTokenizer().encode(question.solution);
      completions[1].ids = ByteTokenizer().encode("<answer>" + std::to_string(std::stoi(question.reference) + 1) + "</answer>");
      const std::vector<std::size_t> prompts = {i, i};
      EXPECT_THAT(task.rewards(prompts, completions), ElementsAre(1, 1, 0, 0)) << question.solution;
      ++judged;
    }
  }
  EXPECT_EQ(judged, 15U);
}

TEST(Reasoning, TheInstructionAndTheChatTemplateStandAroundTheQuestion) {
  ReasoningOptions options = small_reasoning();
  options.instruction = "Work out {question} now.";
  options.max_prompt_tokens = 100;
  options.chat_template = "dialogue";
  const Reasoning workload(options, kContext);
  const std::string text = text_of(workload.task(0), 0);
  EXPECT_TRUE(text.starts_with("\n\nHuman: Work out ") && text.ends_with(" now.\n\nAssistant:")) << text;
  options.instruction = "Work it out.";
  EXPECT_THAT(error_of(options), HasSubstr("a text with {question} once, found 'Work it out.'"));
  options.instruction = "{question}{question}";
  EXPECT_THAT(error_of(options), HasSubstr("a text with {question} once"));
  options.instruction = "What is {{question}}?";
  EXPECT_THAT(error_of(options), HasSubstr("workload.instruction: expected {question} in single braces"));
  options.instruction = "\\boxed{x} of {question}: {y}";
  EXPECT_THAT(text_of(Reasoning(options, kContext).task(0), 0), testing::StartsWith("\n\nHuman: \\boxed{x} of "));
}

TEST(Reasoning, ATaskHasAnInstructionAndASystemPromptOfItsOwn) {
  ReasoningOptions options = small_reasoning();
  options.instruction = "Common: {question}";
  options.max_prompt_tokens = 100;
  options.tasks["sums"].texts = {{"instruction", "Add {question}, please."}};
  const Reasoning plain(options, kContext);
  EXPECT_TRUE(text_of(plain.task(0), 0).starts_with("Add ")) << text_of(plain.task(0), 0);
  EXPECT_TRUE(text_of(plain.task(0), 0).ends_with(", please."));
  EXPECT_TRUE(text_of(*plain.task(0).held_out(), 0).starts_with("Add "));
  EXPECT_TRUE(text_of(plain.task(4), 0).starts_with("Common: ")) << text_of(plain.task(4), 0);

  options.chat_template = "dialogue";
  options.tasks["expressions"].texts = {{"system", "You compute."}};
  const Reasoning chat(options, kContext);
  EXPECT_TRUE(text_of(chat.task(0), 0).starts_with("\n\nHuman: Add "));
  EXPECT_TRUE(text_of(chat.task(4), 0).starts_with("You compute.\n\nHuman: Common: ")) << text_of(chat.task(4), 0);

  options.tasks["expressions"].texts = {{"system", ""}};
  EXPECT_EQ(error_of(options),
            "workload.tasks.expressions.system: expected a text, found an empty one; leave the key out for the template's own");
  options.tasks["expressions"].texts = {{"system", "You compute."}};
  options.chat_template = "none";
  EXPECT_THAT(error_of(options),
              HasSubstr("workload.tasks.expressions.system: expected a chat template, of which a system prompt is a turn"));
  options.tasks["sums"].texts = {{"instruction", "Add."}};
  options.tasks["expressions"].texts = {};
  EXPECT_THAT(error_of(options), HasSubstr("workload.tasks.sums.instruction: expected a text with {question} once, found 'Add.'"));
}

TEST(Reasoning, LongQuestionsAreLeftOutAndCounted) {
  ReasoningOptions options = small_reasoning();
  options.max_prompt_tokens = 7;
  const Reasoning workload(options, kContext);
  std::size_t kept = 0;
  for (const char* name : {"expressions", "sums"}) {
    const QuestionSet set = question_sets().at(name).make(small_set(name).settings, {.seed = 1, .data_root = {}});
    for (const auto* side : {&set.training, &set.validation, &set.test}) {
      for (const Question& question : *side) kept += question.prompt.size() <= 5 ? 1 : 0;  // and a line feed and the first token
    }
  }
  ThreadPool pool(1);
  const Evaluation evaluation = workload.evaluate(workload.initial_parameters().values(), Split::kTest, pool);
  EXPECT_EQ(evaluation.overall.at("questions_left_out"), 2 * 104 - static_cast<double>(kept));
  options.max_prompt_tokens = 2;
  EXPECT_THAT(error_of(options), HasSubstr("of at most 2 tokens for validation and test, found 0 of"));
}

TEST(Reasoning, FiguresOfTheWholeAreMeansOfTheTasks) {
  ReasoningOptions options = small_reasoning();
  options.evaluation_questions = 16;  // one batch, here as there: products of other sizes may round otherwise
  const Reasoning workload(options, kContext);
  ThreadPool pool(2);
  const std::vector<float> theta(workload.layout()->size(), 0.01F);
  const Evaluation evaluation = workload.evaluate(theta, Split::kTest, pool);
  // By hand: what each group's own held-out questions earn, which are those of its task.
  std::vector<std::vector<double>> own;
  for (const int client : {0, 2, 4}) own.push_back(workload.reward_steps(client)->evaluate(theta));
  const auto overall = [&](const char* name) { return evaluation.overall.at(name); };
  EXPECT_THAT(evaluation.per_objective.at("reward"),
              ElementsAre(DoubleNear((own[0][0] + own[2][0]) / 2, 1e-12), DoubleNear(own[0][1], 1e-12), DoubleNear(own[1][1], 1e-12),
                          DoubleNear(own[2][1], 1e-12)));
  EXPECT_GT(own[1][1], 0) << "of length, so that something is compared";
  EXPECT_NEAR(overall("reward_sums"), (own[0][0] + own[0][1] + own[1][1]) / 3, 1e-12);
  EXPECT_NEAR(overall("reward_expressions"), (own[2][0] + own[2][1]) / 2, 1e-12);
  EXPECT_NEAR(overall("accuracy"), (overall("accuracy_sums") + overall("accuracy_expressions")) / 2, 1e-12);
  EXPECT_GT(overall("response_length"), 0);
  EXPECT_LE(overall("response_length"), 8);
  EXPECT_TRUE(workload.has_split(Split::kValidation));
  EXPECT_NE(workload.evaluate(theta, Split::kValidation, pool).per_objective, evaluation.per_objective);
}

TEST(Reasoning, HeldOutFiguresAreOfTheClientsOwnRewardsOnTheTestQuestionsOfItsTask) {
  const Reasoning workload(small_reasoning(), kContext);
  const Parameters theta = workload.initial_parameters();
  ThreadPool pool(2);
  ThreadPool alone(1);
  HeldOutFigures all;
  for (int client = 0; client < 6; ++client) {
    const HeldOutFigures own = workload.evaluate_held_out(client, theta.values(), pool);
    EXPECT_EQ(own, workload.evaluate_held_out(client, theta.values(), alone));
    EXPECT_THAT(own.metrics.at("reward").samples,
                ElementsAre(20, client < 2 ? 20 : 0, client == 2 || client == 3 ? 20 : 0, client < 4 ? 0 : 20));
    if (client == 0 || client == 2 || client == 4) all += own;  // a client of each group
  }
  // Two groups of clients have sums, whose questions the evaluation asks once.
  const Evaluation evaluation = workload.evaluate(theta.values(), Split::kTest, pool);
  const std::vector<double> found = all.means().at("reward");
  const std::vector<double>& expected = evaluation.per_objective.at("reward");
  EXPECT_NEAR(found[0], (2 * evaluation.overall.at("accuracy_sums") + evaluation.overall.at("accuracy_expressions")) / 3, 1e-12);
  for (std::size_t k = 1; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12) << k;
  EXPECT_GT(expected[2], 0) << "length";
}

TEST(Reasoning, ATaskCanBeTestedOnAnotherSet) {
  ReasoningOptions options = small_reasoning();
  options.tasks = {{"sums", small_set("sums")}};
  options.groups = "sums:accuracy";
  options.test_sets = {{"sums", small_set("expressions")}};
  const Reasoning workload(options, kContext);
  const QuestionSet expressions = question_sets().at("expressions").make(small_set("expressions").settings, {.seed = 1, .data_root = {}});
  EXPECT_EQ(text_of(*workload.task(0).held_out(), 0), expressions.test[0].prompt + "\n");
  options.test_sets = {{"summs", small_set("expressions")}};
  EXPECT_THAT(error_of(options), HasSubstr("workload.test_sets: expected names of tasks, found 'summs'"));
}

TEST(Reasoning, WritesTheAdapterAndExamplesOfEveryTask) {
  const Reasoning workload(small_reasoning(), kContext);
  std::vector<float> theta(workload.layout()->size());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = static_cast<float>(i % 7) / 64;
  const auto folder = empty_folder("reasoning_model");
  workload.write_model(theta, folder);
  EXPECT_EQ(read_peft_adapter(folder, *workload.layout()), theta);
  std::ifstream file(folder / "completions.jsonl");
  std::string line;
  std::vector<std::size_t> rewards;
  while (std::getline(file, line)) rewards.push_back(nlohmann::json::parse(line).at("reward").size());
  EXPECT_EQ(rewards, (std::vector<std::size_t>{2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3})) << "expressions, then sums";
  std::filesystem::remove_all(folder);
}

TEST(Reasoning, CompletionsOfSomeRoundsAreLoggedAndChangeNothing) {
  ReasoningOptions options = small_reasoning();
  const Reasoning plain(options, kContext);
  options.log = {.every = 2, .per_client = 3};
  const Reasoning logging(options, kContext);
  EXPECT_FALSE(plain.logs_completions());
  EXPECT_TRUE(logging.logs_completions());
  const auto train = [&](const Reasoning& workload, int client, std::uint32_t round) {
    const auto steps = workload.reward_steps(client);
    const std::vector<float> theta(workload.layout()->size(), 0.01F);
    std::vector<float> gradient(theta.size());
    steps->start_round({1, round, static_cast<std::uint32_t>(client)});
    for (std::int64_t step = 0; step < 2; ++step) steps->step(step, theta, std::vector{0.5, 0.5}, gradient, {});
    return gradient;
  };
  for (const std::uint32_t round : {1U, 2U}) {
    for (const int client : {4, 0}) EXPECT_EQ(train(logging, client, round), train(plain, client, round));
  }
  EXPECT_EQ(logging.take_completions(1), "");
  std::istringstream lines(logging.take_completions(2));
  EXPECT_EQ(logging.take_completions(2), "") << "taken";
  EXPECT_EQ(plain.take_completions(2), "");
  std::string line;
  std::vector<int> clients;
  std::set<std::string> prompts;
  while (std::getline(lines, line)) {
    const auto json = nlohmann::json::parse(line);
    clients.push_back(json.at("client"));
    EXPECT_EQ(json.at("round"), 2);
    EXPECT_EQ(json.at("task"), clients.back() == 4 ? "expressions" : "sums");
    EXPECT_EQ(json.at("rewards").size(), 2U);
    EXPECT_TRUE(json.at("rewards").contains(clients.back() == 4 ? "tag_count" : "format"));
    EXPECT_TRUE(texts_of(logging.task(clients.back())).contains(json.at("prompt")));
    EXPECT_TRUE(json.at("completion").is_string());
    prompts.insert(json.at("prompt"));
  }
  EXPECT_THAT(clients, ElementsAre(0, 0, 0, 4, 4, 4)) << "three of each, in the order of their ids, of the first batch alone";
  EXPECT_EQ(prompts.size(), 6U) << "of different prompts";
}

// Every letter ends a completion; and a text that is never drawn.
TEST(Reasoning, CompletionsEndWithAStopString) {
  const auto lengths = [](const std::string& stop_strings) {
    ReasoningOptions options = small_reasoning();
    options.stop_strings = stop_strings;
    const Reasoning workload(options, kContext);
    ThreadPool pool(1);
    const Parameters theta = workload.initial_parameters();
    const double evaluated = workload.evaluate(theta.values(), Split::kTest, pool).overall.at("response_length");
    const auto steps = workload.reward_steps(0);
    steps->start_round({1, 1, 0});
    std::vector<float> gradient(theta.size());
    steps->step(0, theta.values(), std::vector{0.5, 0.5}, gradient, {});
    const auto figures = steps->figures();
    return std::vector{evaluated, figures.at("response_length")[0], figures.at("truncated")[0]};
  };
  std::string letters = "a";
  for (char letter = 'b'; letter <= 'z'; ++letter) letters += std::string(",") + letter;
  const std::vector<double> plain = lengths("");
  const std::vector<double> stopped = lengths(letters);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_LT(stopped[i], plain[i]) << i;
  EXPECT_EQ(lengths("never in eight tokens"), plain);
}

TEST(Reasoning, ALearnerRaisesItsRewards) {
  ReasoningOptions options = small_reasoning();
  options.clients = 1;
  options.tasks = {{"sums", small_set("sums")}};
  options.base.lora_dropout = 0;
  options.grpo.prompts = 8;
  options.grpo.completions = 8;
  options.rewards["length"] = {"characters", {{{"set", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}}, {}}};
  options.groups = "sums:length";
  for (const std::string weights : {"float32", "int8"}) {
    options.grpo.generation_weights = weights;
    const Reasoning workload(options, kContext);
    const auto learner = workload.learner(0, {.local_steps = 30, .client_lr = 1e-2, .optimizer = "adam"});
    const Parameters start = workload.initial_parameters();
    std::vector<float> theta(start.values().begin(), start.values().end());
    EXPECT_EQ(learner->train(theta, {1, 1, 0}).num_samples, 60);
    ThreadPool pool(1);
    const auto reward = [&](std::span<const float> at) { return workload.evaluate(at, Split::kTest, pool).per_objective.at("reward")[0]; };
    EXPECT_GT(reward(theta), reward(start.values()) + 0.3) << weights;
  }
}

TEST(Reasoning, GroupsThatMakeNoSenseAreErrors) {
  const auto with_groups = [](const std::string& groups) {
    ReasoningOptions options = small_reasoning();
    options.groups = groups;
    return error_of(options);
  };
  EXPECT_EQ(with_groups("sums:accuracy+format"), "");
  EXPECT_THAT(with_groups(""), HasSubstr("expected at least one group, as in sums:accuracy+format, found none"));
  EXPECT_THAT(with_groups("sums"), HasSubstr("expected a task, a colon and its rewards, as in sums:accuracy+format, found 'sums'"));
  EXPECT_THAT(with_groups("sums:"), HasSubstr("expected rewards of 'sums', found none"));
  EXPECT_THAT(with_groups("sums:accuracy++format"), HasSubstr("expected names separated by '+'"));
  EXPECT_THAT(with_groups("sums:accuracy,,sums:format"), HasSubstr("expected names separated by ','"));
  EXPECT_THAT(with_groups("summs:accuracy"), HasSubstr("a task of workload.tasks, one of expressions, sums; found 'summs'"));
  EXPECT_THAT(with_groups("sums:acuracy"), HasSubstr("one of accuracy, format, length, tag_count; found 'acuracy'"));
  EXPECT_THAT(with_groups("sums:format+format"), HasSubstr("expected each reward once, found 'sums:format+format'"));
  EXPECT_THAT(with_groups("sums:accuracy,sums:format+accuracy"), HasSubstr("groups of 'sums' to begin with the same reward"));
}

TEST(Reasoning, WhatDoesNotFitIsAnError) {
  ReasoningOptions options = small_reasoning();
  options.clients = 2;
  EXPECT_THAT(error_of(options), HasSubstr("workload.clients: expected at least one for each of 3 groups, found 2"));
  options = small_reasoning();
  options.clients = 180;
  EXPECT_THAT(error_of(options), HasSubstr("workload.tasks.sums: expected a training question for each of 120 clients, found 60"));
  options = small_reasoning();
  options.tasks["sums"].settings.values["validation_questions"] = std::int64_t{0};
  EXPECT_THAT(error_of(options), HasSubstr("for validation and test, found 0 of 0 and 24 of 24"));
  options = small_reasoning();
  options.max_prompt_tokens = 2045;
  EXPECT_THAT(error_of(options), HasSubstr("of at most the model's 2048 positions, found 2045 + 8; workload.model is not set"));
  options = small_reasoning();
  options.tasks["sums"] = {"gsm8k", {}};
  EXPECT_THAT(error_of(options), HasSubstr("gsm8k/train.jsonl: expected a file"));
}

TEST(Reasoning, CompletionsDoNotCrossTheOriginalLengthOfALongrope) {
  ReasoningOptions options = small_reasoning();
  options.base.lora_projections = "all-linear";
  options.base.model = longrope_folder(20).string();
  EXPECT_THAT(error_of(options),
              HasSubstr("workload: expected prompts of more than 20 tokens, or of at most as many with grpo.max_new_tokens"));
  options.base.model = longrope_folder(200).string();
  EXPECT_EQ(error_of(options), "");
  std::filesystem::remove_all(options.base.model);
}

}  // namespace
}  // namespace paretofl
