// The accuracy rewards on published sets of questions: right answers earn 1, and changed or exchanged ones 0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <set>

#include "paretofl/core/json_text.h"
#include "paretofl/core/random.h"
#include "paretofl/mathematics/math_answer.h"
#include "paretofl/rewards/answer_text.h"
#include "paretofl/rewards/gsm8k_accuracy.h"
#include "paretofl/rewards/math_accuracy.h"
#include "paretofl/text/json_object.h"
#include "paretofl/text/text_file.h"
#include "tests/data_folder.h"
#include "tests/rewards/changed_answers.h"
#include "tests/rewards/judged.h"

namespace paretofl {
namespace {

// One field of every row of a file.
std::vector<std::string> column(const std::string& file, const std::string& field) {
  std::vector<std::string> values;
  for_each_line(read_text(data_folder() / file), [&](std::string_view line, std::size_t) {
    const nlohmann::json row = parse_json(std::string(line), file);
    values.push_back(JsonObject(row, file).text(field));
  });
  return values;
}

TEST(PublishedAnswers, OfGsm8kAreRight) {
  PARETOFL_NEEDS_DATA("gsm8k/test.jsonl.gz");
  const Gsm8kAccuracy reward({});
  const std::vector<std::string> solutions = column("gsm8k/test.jsonl.gz", "answer");
  ASSERT_EQ(solutions.size(), 1319);
  Random random({1}, "other rows");
  for (const std::string& solution : solutions) {
    const std::string number = solution.substr(solution.find("#### ") + 5);
    EXPECT_EQ(judged(reward, solution, solution), 1) << solution;
    EXPECT_EQ(judged(reward, solution, number), 1) << solution;
    EXPECT_EQ(judged(reward, "So she has $" + number + ".00.", solution), 1) << number;
    EXPECT_EQ(judged(reward, "<think>" + solution + "</think><answer>" + number + "</answer>", number), 1) << number;
    for (const std::string& wrong : changed_answers(number)) {
      EXPECT_EQ(judged(reward, solution.substr(0, solution.find("####")) + "#### " + wrong, solution), 0) << wrong << " is not " << number;
      EXPECT_EQ(judged(reward, "\\boxed{" + wrong + "}", solution), 0) << wrong << " is not " << number;
      EXPECT_EQ(judged(reward, "<answer>" + wrong + "</answer>", number), 0) << wrong << " is not " << number;
    }
    const std::string& other = solutions[random.below(solutions.size())];
    EXPECT_EQ(judged(reward, other, solution), other.ends_with("#### " + number) ? 1 : 0) << other << " beside " << number;
  }
}

// Ways to write an answer that change nothing.
std::vector<std::string> respellings(const std::string& answer) {
  const auto replaced = [&answer](const std::string& from, const std::string& to) {
    std::string text = answer;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    return text;
  };
  return {"$" + answer + "$",
          "\\(" + answer + "\\)",
          "\\displaystyle " + answer,
          answer + ".",
          "  " + answer + "\n",
          replaced("\\frac", "\\dfrac"),
          replaced("\\dfrac", "\\tfrac"),
          replaced("frac{", "frac { "),
          replaced("}{", " } { "),
          replaced("(", "\\left( "),
          replaced(")", " \\right)"),
          replaced(" ", "\n"),
          replaced(", ", ",  "),
          replaced("+", " + "),
          replaced("-", "\u2212"),
          replaced(",\\!", "{,}"),
          replaced("\\text{", "\\mbox{"),
          replaced("pmatrix", "bmatrix"),
          replaced("^\\circ", "^{\\circ}"),
          replaced("\\pi", "\u03c0 ")};
}

TEST(PublishedAnswers, OfMathAreRight) {
  PARETOFL_NEEDS_DATA("math/test.jsonl.gz");
  const MathAccuracy reward({});
  const std::vector<std::string> solutions = column("math/test.jsonl.gz", "solution");
  ASSERT_EQ(solutions.size(), 5000);
  int missed = 0;
  for (const std::string& solution : solutions) {
    const std::string answer(boxed_text(solution).value());
    for (const std::string& completion :
         {solution, "<think>\\boxed{0}</think>\n<answer>" + answer + "</answer>", "\\boxed{" + answer + "}"}) {
      for (const std::string& reference : {solution, answer}) {
        if (judged(reward, completion, reference) == 1) continue;
        ++missed;
        std::cout << "no answer to itself: " << answer << '\n';
      }
    }
    for (const std::string& spelling : respellings(answer)) {
      EXPECT_EQ(judged(reward, "<answer>" + spelling + "</answer>", solution), 1) << spelling << " is " << answer;
    }
    for (const std::string& wrong : changed_answers(answer)) {
      EXPECT_EQ(judged(reward, "\\boxed{" + wrong + "}", solution), 0) << wrong << " is not " << answer;
      EXPECT_EQ(judged(reward, "<answer>" + wrong + "</answer>", answer), 0) << wrong << " is not " << answer;
    }
  }
  EXPECT_EQ(missed, 0);
}

// Every distinct answer beside ten others. Of all two million pairs 326 are the same, each rightly so.
TEST(PublishedAnswers, OfMathAreNoOthers) {
  PARETOFL_NEEDS_DATA("math/test.jsonl.gz");
  std::set<std::string> distinct;
  for (const std::string& solution : column("math/test.jsonl.gz", "solution")) distinct.emplace(boxed_text(solution).value());
  const std::vector<std::string> answers(distinct.begin(), distinct.end());
  Random random({1}, "other answers");
  std::vector<std::string> same;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (int other = 0; other < 10; ++other) {
      const std::size_t j = random.below(answers.size());
      if (i != j && same_math_answer(answers[i], answers[j])) same.push_back(answers[i] + " is " + answers[j]);
    }
  }
  EXPECT_THAT(same, testing::ElementsAre("180^{\\circ} is 180^\\circ", "\\frac{\\sqrt{6}}{3} is \\frac{\\sqrt6}3"));
}

}  // namespace
}  // namespace paretofl
