#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/seed_option.h"
#include "paretofl/core/error.h"
#include "paretofl/core/json_text.h"
#include "paretofl/core/standard_streams.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

constexpr const char* kQuestionsFooter =
    R"(Prints {"prompt": "..", "reference": "..", "solution": ".."} per question: the task in words, what the accuracy reward
compares with, and a worked solution (empty where the data has none). `paretofl list question-sets` shows the sets.
Generated sets are made from --seed; published ones are read from --data.

Example: ten sums to train on
  paretofl questions sums --set training_questions=10)";

struct QuestionsArguments {
  std::string name;
  std::string split = "training";
  std::string data;
  std::vector<std::string> overrides;
  std::uint64_t seed = 1;
};

const std::vector<Question>& part(const QuestionSet& set, const std::string& split) {
  if (split == "training") return set.training;
  return split == "validation" ? set.validation : set.test;
}

void print_questions(const QuestionsArguments& arguments) {
  const std::vector<std::string> splits{"training", "validation", "test"};
  expect(std::find(splits.begin(), splits.end(), arguments.split) != splits.end(),
         "questions --split: expected training, validation or test, found '{}'", arguments.split);
  Settings settings;
  apply_overrides(settings, arguments.overrides);
  const QuestionSet set = question_sets().at(arguments.name).make(settings, {.seed = arguments.seed, .data_root = arguments.data});
  for (const Question& question : part(set, arguments.split)) {
    const nlohmann::ordered_json row{{"prompt", question.prompt}, {"reference", question.reference}, {"solution", question.solution}};
    write_output("{}\n", json_text(row));
  }
}

}  // namespace

void add_questions(CLI::App& app) {
  auto* command = app.add_subcommand("questions", "Print a set of questions with their answers, as JSON lines");
  auto arguments = std::make_shared<QuestionsArguments>();
  command->add_option("NAME", arguments->name, "question set, such as sums")->required()->type_name("");
  command->add_option("--split", arguments->split, "training, validation or test (default: training)")->type_name("NAME");
  command->add_option("--set", arguments->overrides, "an option of the set: key=value; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_option("--data", arguments->data, "folder of the published files, as in data.root")->type_name("DIR");
  add_seed(*command, arguments->seed, "seed of generated sets (default: 1)");
  command->add_flag("--json")->description("accepted as in every command; the output is always JSON");
  command->footer(kQuestionsFooter);
  command->callback([arguments] { print_questions(*arguments); });
}

}  // namespace paretofl
