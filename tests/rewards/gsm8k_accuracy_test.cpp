#include "paretofl/rewards/gsm8k_accuracy.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "tests/rewards/judged.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

double score(const std::string& completion, const std::string& reference) { return judged(Gsm8kAccuracy({}), completion, reference); }

TEST(Gsm8kAccuracy, LooksForTheAnswerWhereItStands) {
  for (const char* completion : {
           "<answer>18</answer>",
           "<think>9 * 2 = 20, no: 18</think> <answer>18</answer>",
           "<think>17</think><answer>She makes $18 a day.</answer> 5",
           "<answer>3</answer> or rather <answer>18</answer>",
           "<answer>18",
           "<answer>\\boxed{18} of 20</answer>",
           "<answer>#### 18</answer>",
           "16 - 3 - 4 = 9\n9 * 2 = 18\n#### 18",
           "#### 18\nAnother way to see it takes 5 steps.",
           "####18",
           "####\n18 dollars in 7 days",
           "#### 3, no\n#### 18",
           "The answer is \\boxed{18}. That took 3 steps.",
           "\\boxed{3} is wrong, \\boxed{ \\text{18 eggs} } is right; 99",
           "\\fbox{18} 4",
           "$\\boxed 18$ 4",
           "It is 16 less 3, and so on: 18.",
           "18",
           "**18**",
       }) {
    EXPECT_EQ(score(completion, "18"), 1) << completion;
  }
}

TEST(Gsm8kAccuracy, TakesNoOtherNumber) {
  for (const char* completion : {"",
                                 "eighteen",
                                 "1 8",
                                 "18 or 19",
                                 "<answer></answer> 18",
                                 "<answer>none</answer> 18",
                                 "18 <answer>17</answer>",
                                 "#### none\n18",
                                 "#### 17\n18",
                                 "\\boxed{x} 18",
                                 "\\boxed{18} \\boxed{17}",
                                 "\\boxed{18} \\boxed{17",
                                 "<answer>17</answer>\n#### 18",
                                 "-18",
                                 "18.5",
                                 "180",
                                 "1/18",
                                 "CO18",
                                 "x_18",
                                 "2^18",
                                 "2^{18}",
                                 "18,000",
                                 "18 1/2",
                                 "18\\frac{1}{2}"}) {
    EXPECT_EQ(score(completion, "18"), 0) << completion;
  }
}

struct Spelling {
  std::string number;
  std::vector<std::string> same;
};

TEST(Gsm8kAccuracy, KnowsANumberHoweverItIsWritten) {
  const std::vector<Spelling> spellings = {
      {"1200",
       {"1,200", "$1,200.00", "$ 1200", "\\$1{,}200", "1,\\!200", "1200.0", "1200 dollars", "01200", "\u20ac1200", "1,200.", "(1,200)",
        "2400/2"}},
      {"1234567", {"1,234,567", "1{,}234{,}567", "$1,234,567.000 in all"}},
      {"50", {"50%", "50 %", "50\\%", "50.00%", "$50/day", "50km", "50 m^2", "50 m_2", "50 $\\text{m}^{2}$", "x=50", "100 - 50 = 50"}},
      {"0.5", {".5", "0.50", "1/2", "2/4", "\\frac{1}{2}", "\\dfrac{5}{10}", "half is 0.5"}},
      {"-3",
       {"-3", "-$3", "$-3", "\u22123", "= -3", "= - 3", "<answer>- 3</answer>", "\\boxed{-3}", "\\boxed{- 3}", "\\(-3\\)", "a loss of (-3)",
        "-3.0", "-9/3", "-\\frac{6}{2}"}},
      {"3", {"6-3", "6 - 3", "They have\n- 3 apples", "x-3", "(6)-3", "10 \u2212 7 is 3", "1.5 + 1.5 = 3"}},
      {"7.25", {"7 1/4", "7\\frac{1}{4}", "7 \\tfrac{1}{4}", "29/4", "$7.25"}},
      {"-7.25", {"-7 1/4", "-7\\frac{1}{4}"}},
      {"0", {"-0", "0.00", "0%", "0/5"}},
      {"123456789012345678", {"123,456,789,012,345,678", "123456789012345678.000000000000000000000000"}},
      {"0.1", {"0.1000000000000000000000000000", "1/10"}},
  };
  for (const Spelling& spelling : spellings) {
    for (const std::string& other : spelling.same) EXPECT_EQ(score(other, spelling.number), 1) << other << " is " << spelling.number;
  }
}

TEST(Gsm8kAccuracy, ComparesExactly) {
  EXPECT_EQ(score("9007199254740993", "9007199254740992"), 0);
  EXPECT_EQ(score("0.1000000000000000001", "0.1"), 0);
  EXPECT_EQ(score("0.3333333333333333", "1/3"), 0);
  EXPECT_EQ(score("5/0", "5"), 0);
  EXPECT_EQ(score("2 99999999999999999999999999", "2"), 0);  // too long to be a number, but not passed over
  EXPECT_EQ(score("1,23", "123"), 0);
  EXPECT_EQ(score("1,2345", "12345"), 0);
}

TEST(Gsm8kAccuracy, TakesSolutionsForReferences) {
  EXPECT_EQ(score("6,600", "He buys 2 * 3300 = <<2*3300=6600>>6600 of 7.\n#### 6,600"), 1);
  EXPECT_EQ(score("7", "He buys 2 * 3300 = <<2*3300=6600>>6600 of 7.\n#### 6,600"), 0);
  EXPECT_THAT([] { score("7", ""); }, ThrowsMessage<Error>("gsm8k_accuracy: expected a reference with a number, found ''"));
  EXPECT_THAT([] { score("7", "seven\nno"); }, ThrowsMessage<Error>(HasSubstr("found 'seven?no'")));
}

TEST(Gsm8kAccuracy, KnowsOtherTags) {
  const Gsm8kAccuracy reward({.tag = "result"});
  EXPECT_EQ(judged(reward, "<answer>5</answer><result>6</result> 7", "6"), 1);
  EXPECT_THAT([] { Gsm8kAccuracy({.tag = "<b>"}); }, ThrowsMessage<Error>(HasSubstr("gsm8k_accuracy: expected a tag's name")));
}

}  // namespace
}  // namespace paretofl
