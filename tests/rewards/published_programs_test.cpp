// The reward code_accuracy on the published sets of programs: their own solutions earn 1, changed ones 0.
#include <gtest/gtest.h>

#include <thread>

#include "paretofl/questions/humaneval.h"
#include "paretofl/questions/mbpp.h"
#include "paretofl/rewards/code_accuracy.h"
#include "tests/data_folder.h"
#include "tests/sandbox/needs_sandbox.h"

namespace paretofl {
namespace {

CodeAccuracy reward() {
  return CodeAccuracy({.at_once = std::max(2U, std::thread::hardware_concurrency()), .sandbox = {.wall_seconds = 300, .cpu_seconds = 120}});
}

void expect_solutions_to_pass(const std::vector<Question>& questions) {
  std::vector<Answer> answers;
  for (const Question& question : questions) answers.push_back({question.prompt, question.solution, question.reference});
  const std::vector<double> scores = reward().scores(answers);
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_EQ(scores[i], 1) << questions[i].prompt;
}

TEST(PublishedPrograms, OfHumanEvalPass) {
  PARETOFL_NEEDS_DATA("humaneval");
  PARETOFL_NEEDS_SANDBOX();
  expect_solutions_to_pass(load_humaneval({.seed = 1, .data_root = data_folder()}).test);
}

TEST(PublishedPrograms, OfMbppPass) {
  PARETOFL_NEEDS_DATA("mbpp");
  PARETOFL_NEEDS_SANDBOX();
  const QuestionSet set = load_mbpp({.seed = 1, .data_root = data_folder()});
  for (const std::vector<Question>* part : {&set.training, &set.validation, &set.test}) expect_solutions_to_pass(*part);
}

TEST(PublishedPrograms, ChangedOnesFail) {
  PARETOFL_NEEDS_DATA("mbpp");
  PARETOFL_NEEDS_DATA("humaneval");
  PARETOFL_NEEDS_SANDBOX();
  const QuestionSet mbpp = load_mbpp({.seed = 1, .data_root = data_folder()});
  const QuestionSet humaneval = load_humaneval({.seed = 1, .data_root = data_folder()});
  const std::string change = R"(
def changed(function): return lambda *arguments: [function(*arguments)]
import types
for name, value in list(globals().items()):
    if type(value) is types.FunctionType and name != "changed": globals()[name] = changed(value)
)";
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < 40; ++i) answers.push_back({"", mbpp.validation[i].solution + change, mbpp.validation[i].reference});
  for (std::size_t i = 0; i < 40; ++i) answers.push_back({"", humaneval.test[i].solution + change, humaneval.test[i].reference});
  for (std::size_t i = 0; i < 20; ++i) answers.push_back({"", mbpp.validation[i + 1].solution, mbpp.validation[i].reference});
  const std::vector<double> scores = reward().scores(answers);
  for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_EQ(scores[i], 0) << answers[i].completion;
}

}  // namespace
}  // namespace paretofl
