// What every registered set of questions promises. Published ones are read from the data folder, each from that of its name.
#include <gmock/gmock.h>

#include <set>

#include "paretofl/core/error.h"
#include "paretofl/questions/question_set.h"
#include "paretofl/registry/option_lister.h"
#include "tests/data_folder.h"

namespace paretofl {
namespace {

class QuestionSetConformance : public testing::TestWithParam<const RegistryEntry*> {
 protected:
  static QuestionSet make(std::uint64_t seed) {
    return question_sets().at(GetParam()->name).make({}, {.seed = seed, .data_root = data_folder()});
  }
  static bool generated() {
    OptionLister options;
    GetParam()->describe(options);
    return !options.docs().empty();
  }
  static std::vector<std::string> prompts(const std::vector<Question>& questions) {
    std::vector<std::string> list;
    for (const Question& question : questions) list.push_back(question.prompt);
    return list;
  }
};

TEST_P(QuestionSetConformance, NoQuestionIsOnTwoSides) {
  if (!generated()) {
    PARETOFL_NEEDS_DATA(GetParam()->name);
  }
  const QuestionSet set = make(1);
  EXPECT_FALSE(set.test.empty());
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
  if (!generated()) {
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
