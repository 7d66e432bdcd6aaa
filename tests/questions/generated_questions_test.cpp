// What every generated set promises, and what each family is about.
#include "paretofl/questions/generated_questions.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "paretofl/core/error.h"
#include "paretofl/questions/expressions.h"
#include "paretofl/questions/sums.h"
#include "paretofl/questions/word_problems.h"
#include "paretofl/rewards/reward.h"

namespace paretofl {
namespace {

using testing::HasSubstr;

std::vector<Question> all_of(const QuestionSet& set) {
  std::vector<Question> all = set.training;
  all.insert(all.end(), set.validation.begin(), set.validation.end());
  all.insert(all.end(), set.test.begin(), set.test.end());
  return all;
}

/// The value of an expression by recursive descent: the ordinary rules, and nothing of how the questions are made.
class Evaluator {
 public:
  static std::int64_t value_of(const std::string& text) {
    Evaluator evaluator(text);
    const std::int64_t value = evaluator.sum();
    EXPECT_EQ(evaluator.position_, text.size()) << text;
    return value;
  }

 private:
  explicit Evaluator(const std::string& text) : text_(text) {}

  bool takes(char c) {
    const bool there = position_ < text_.size() && text_[position_] == c;
    if (there) ++position_;
    return there;
  }
  std::int64_t sum() {
    std::int64_t value = product();
    for (;;) {
      if (takes('+')) {
        value += product();
      } else if (takes('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }
  std::int64_t product() {
    std::int64_t value = factor();
    while (takes('*')) value *= factor();
    return value;
  }
  std::int64_t factor() {
    if (takes('(')) {
      const std::int64_t value = sum();
      EXPECT_TRUE(takes(')')) << text_;
      return value;
    }
    std::size_t used = 0;
    const std::int64_t value = std::stoll(text_.substr(position_), &used);
    position_ += used;
    return value;
  }

  const std::string& text_;
  std::size_t position_ = 0;
};

/// Checks every step of a worked solution and that the last one's result is the answer, which it returns.
std::int64_t answer_of(const Question& question) {
  static const std::regex kSolution("<think>(.*)</think><answer>(\\d+)</answer>");
  std::smatch parts;
  EXPECT_TRUE(std::regex_match(question.solution, parts, kSolution)) << question.solution;
  const std::string steps = parts[1].str();
  std::string last;
  for (std::size_t begin = 0; begin < steps.size();) {
    const std::size_t end = std::min(steps.find(", ", begin), steps.size());
    const std::string step = steps.substr(begin, end - begin);
    const std::size_t equal = step.find('=');
    last = step.substr(equal + 1);
    EXPECT_EQ(Evaluator::value_of(step.substr(0, equal)), std::stoll(last)) << question.solution;
    begin = end + 2;
  }
  EXPECT_EQ(last, parts[2].str()) << question.solution;
  EXPECT_EQ(question.reference, parts[2].str());
  return std::stoll(question.reference);
}

class GeneratedQuestions : public testing::TestWithParam<const char*> {
 protected:
  static QuestionSet make(std::uint64_t seed, std::int64_t training = 300) {
    Settings settings;
    settings.values = {{"training_questions", training}, {"validation_questions", std::int64_t{40}}, {"test_questions", std::int64_t{50}}};
    return question_sets().at(GetParam()).make(settings, {.seed = seed, .data_root = {}});
  }
  static std::vector<std::string> prompts(const std::vector<Question>& questions) {
    std::vector<std::string> list;
    for (const Question& question : questions) list.push_back(question.prompt);
    return list;
  }
};

TEST_P(GeneratedQuestions, AreDistinctOverSeedsAndSizes) {
  const QuestionSet set = make(1);
  EXPECT_EQ(set.training.size(), 300U);
  EXPECT_EQ(set.validation.size(), 40U);
  EXPECT_EQ(set.test.size(), 50U);
  const auto distinct = prompts(all_of(set));
  EXPECT_EQ(std::set<std::string>(distinct.begin(), distinct.end()).size(), 390U);

  const auto test = prompts(make(2, 100).test);
  const std::set<std::string> tested(test.begin(), test.end());
  for (const auto& questions : {set.training, set.validation}) {
    for (const std::string& prompt : prompts(questions)) EXPECT_FALSE(tested.contains(prompt)) << prompt;
  }
}

TEST_P(GeneratedQuestions, TheSeedDecides) {
  EXPECT_EQ(prompts(make(3).training), prompts(make(3).training));
  EXPECT_NE(prompts(make(3).training), prompts(make(4).training));
}

TEST_P(GeneratedQuestions, AreWorkedStepByStep) {
  for (const Question& question : all_of(make(1))) answer_of(question);
}

TEST_P(GeneratedQuestions, SolutionsEarnEveryReward) {
  std::vector<Answer> right;
  std::vector<Answer> wrong;
  for (const Question& question : all_of(make(1))) {
    right.push_back({question.prompt, question.solution, question.reference});
    wrong.push_back({question.prompt, question.solution, std::to_string(std::stoll(question.reference) + 1)});
  }
  for (const char* reward : {"gsm8k_accuracy", "math_accuracy", "format", "tag_count"}) {
    EXPECT_THAT(make_reward({reward, {}})->scores(right), testing::Each(1.0)) << reward;
  }
  EXPECT_THAT(make_reward({"gsm8k_accuracy", {}})->scores(wrong), testing::Each(0.0));
}

INSTANTIATE_TEST_SUITE_P(All, GeneratedQuestions, testing::Values("sums", "expressions", "word_problems"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Sums, HaveTheTermsAskedFor) {
  const SumsOptions options{.sizes = {.training = 500, .validation = 20, .test = 20}, .fewest_terms = 3, .most_terms = 5, .largest = 12};
  std::set<std::size_t> lengths;
  std::set<std::int64_t> terms;
  for (const Question& question : all_of(make_sums(options, {.seed = 1, .data_root = {}}))) {
    EXPECT_EQ(Evaluator::value_of(question.prompt), answer_of(question)) << question.prompt;
    static const std::regex kNumber("\\d+");
    std::size_t count = 0;
    for (std::sregex_iterator i(question.prompt.begin(), question.prompt.end(), kNumber), end; i != end; ++i, ++count) {
      terms.insert(std::stoll(i->str()));
    }
    lengths.insert(count);
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{3, 4, 5}));
  EXPECT_EQ(*terms.begin(), 1);
  EXPECT_EQ(*terms.rbegin(), 12);
}

TEST(Expressions, HaveTheValueOfTheirSolution) {
  const ExpressionsOptions options{.sizes = {.training = 500, .validation = 20, .test = 20}, .most_operations = 4, .limit = 60};
  bool parentheses = false;
  for (const Question& question : all_of(make_expressions(options, {.seed = 1, .data_root = {}}))) {
    EXPECT_EQ(Evaluator::value_of(question.prompt), answer_of(question)) << question.prompt;
    EXPECT_LE(answer_of(question), 60);
    parentheses = parentheses || question.prompt.find('(') != std::string::npos;
  }
  EXPECT_TRUE(parentheses);
}

TEST(WordProblems, AskForTheValueOfTheirNumbers) {
  // The numbers of a story in its order, and its words, say which value is right.
  const std::vector<std::pair<std::string, std::string>> kinds = {{"loses", "a+b-c"}, {"sold", "a-b+c"}, {"people", "(a+b)*c"},
                                                                  {"boxes", "a*b-c"}, {"bags", "a*b+c"}, {"Of ", "a-b-c"}};
  std::set<std::string> met;
  for (const Question& question : all_of(make_word_problems({}, {.seed = 1, .data_root = {}}))) {
    std::vector<std::string> numbers;
    static const std::regex kNumber("\\d+");
    for (std::sregex_iterator i(question.prompt.begin(), question.prompt.end(), kNumber), end; i != end; ++i) numbers.push_back(i->str());
    ASSERT_EQ(numbers.size(), 3U) << question.prompt;
    for (const auto& [word, formula] : kinds) {
      if (question.prompt.find(word) == std::string::npos) continue;
      met.insert(word);
      std::string expression;
      for (const char c : formula) expression += c >= 'a' && c <= 'c' ? numbers[static_cast<std::size_t>(c - 'a')] : std::string(1, c);
      EXPECT_EQ(Evaluator::value_of(expression), answer_of(question)) << question.prompt;
    }
    EXPECT_EQ(question.prompt.find('{'), std::string::npos) << question.prompt;
  }
  EXPECT_EQ(met.size(), kinds.size());
}

TEST(GeneratedQuestions, FamiliesThatAreTooSmallAreErrors) {
  const auto error_of = [](const std::string& name, std::map<std::string, std::int64_t> values) -> std::string {
    Settings settings;
    for (const auto& [key, value] : values) settings.values.emplace(key, value);
    try {
      question_sets().at(name).make(settings, {.seed = 1, .data_root = {}});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("sums", {{"most_terms", 2}}), HasSubstr("sums: expected 2000 + 100 + 200 distinct questions"));
  EXPECT_THAT(error_of("sums", {{"fewest_terms", 5}}), HasSubstr("fewest_terms of at most most_terms, found 5 and 4"));
  EXPECT_THAT(error_of("expressions", {{"fewest_operations", 4}}), HasSubstr("fewest_operations of at most most_operations"));
  EXPECT_THAT(error_of("expressions", {{"largest", 1000}, {"limit", 1}}), HasSubstr("to stay within a limit of 1"));
  EXPECT_THAT(error_of("word_problems", {{"largest", 4}}), HasSubstr("word_problems.largest"));
  EXPECT_THAT(error_of("word_problems", {{"training_questions", 0}}), HasSubstr("training_questions"));
}

}  // namespace
}  // namespace paretofl
