// What every registered set of questions promises. Published ones are read from the data folder, each from that of its name; those of a
// user's own files, and DAPO-Math-17k, from files that are written here.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/registry/option_lister.h"
#include "tests/data_folder.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

class QuestionSetConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  static QuestionSet make(std::uint64_t seed) {
    if (written()) return make_written(seed);
    return question_sets().at(GetParam()->name).make({}, {.seed = seed, .data_root = data_folder()});
  }
  static QuestionSet make_written(std::uint64_t seed) {
    const std::filesystem::path root = empty_folder("question_set");
    std::filesystem::create_directories(root / "dapo_math");
    {
      std::ofstream own(root / "own.jsonl");
      std::ofstream dapo(root / "dapo_math" / "dapo-math-17k.jsonl");
      for (int i = 0; i < 40; ++i) {
        const std::string prompt = std::to_string(i % 30) + "+1?";
        own << nlohmann::json{{"prompt", prompt}, {"reference", i % 30 + 1}, {"split", i % 3 == 0 ? "test" : "train"}}.dump() << '\n';
        dapo << nlohmann::json{{"prompt", {{{"role", "user"}, {"content", prompt}}}}, {"reward_model", {{"ground_truth", "1"}}}}.dump()
             << '\n';
      }
    }
    Settings settings;
    if (GetParam()->name == "jsonl") settings.values.emplace("train", "own.jsonl");
    QuestionSet set = question_sets().at(GetParam()->name).make(settings, {.seed = seed, .data_root = root});
    std::filesystem::remove_all(root);
    return set;
  }
  static bool written() { return GetParam()->name == "jsonl" || GetParam()->name == "dapo_math"; }
  static bool generated() {
    OptionLister options;
    GetParam()->describe(options);
    return std::any_of(options.docs().begin(), options.docs().end(), [](const OptionDoc& doc) { return doc.key == "training_questions"; });
  }
  static std::vector<std::string> prompts(const std::vector<Question>& questions) {
    std::vector<std::string> list;
    for (const Question& question : questions) list.push_back(question.prompt);
    return list;
  }
};

TEST_P(QuestionSetConformance, NoQuestionIsOnTwoSides) {
  if (!generated() && !written()) {
    PARETOFL_NEEDS_DATA(GetParam()->name);
  }
  const QuestionSet set = make(1);
  EXPECT_EQ(set.test.empty(), GetParam()->name == "dapo_math") << "which has none";
  std::set<std::string> seen;
  for (const auto* side : {&set.test, &set.validation, &set.training}) {
    std::set<std::string> own;
    for (const Question& question : *side) {
      EXPECT_FALSE(question.prompt.empty());
      EXPECT_FALSE(question.reference.empty());
      EXPECT_FALSE(seen.contains(question.prompt)) << question.prompt;
      own.insert(question.prompt);
    }
    seen.merge(own);
  }
}

TEST_P(QuestionSetConformance, TheSeedDecides) {
  if (!generated() && !written()) {
    PARETOFL_NEEDS_DATA(GetParam()->name);
  }
  const QuestionSet set = make(3);
  EXPECT_EQ(prompts(set.training), prompts(make(3).training));
  if (generated()) {
    EXPECT_NE(prompts(set.training), prompts(make(4).training));
  }
}

TEST_P(QuestionSetConformance, RejectsUnknownOptions) {
  const Settings settings{.values = {{"no_such_option", true}}, .tables = {}};
  EXPECT_THAT([&] { question_sets().at(GetParam()->name).make(settings, {.seed = 1, .data_root = data_folder()}); },
              testing::ThrowsMessage<Error>(testing::HasSubstr(GetParam()->name + ".no_such_option")));
}

INSTANTIATE_TEST_SUITE_P(All, QuestionSetConformance, testing::ValuesIn(question_sets().entries()),
                         [](const auto& info) { return info.param->name; });

}  // namespace
}  // namespace paretofl
