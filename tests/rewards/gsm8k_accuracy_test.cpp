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
           "<think>Is it <answer>3</answer>? No.</think><answer>18</answer>",
           "<think>It goes into <answer> tags.</think><answer>18</answer> or <answer>36/2</answer>",
           "<answer>18",
           "<answer>\\boxed{18} of 20</answer>",
           "<answer>#### 18</answer>",
           "16 - 3 - 4 = 9\n9 * 2 = 18\n#### 18",
           "#### 18\nAnother way to see it takes 5 steps.",
           "####18",
           "####\n18 dollars in all",
           "#### 3, no\n#### 18",
           "#### Step 2: multiply\nSo it is \\boxed{18}.",
           "#### \\boxed{18}",
           "\\boxed{18}\n#### 18",
           "#### **18**",
           "#### 20 - 2 = 18",
           "#### 2*9=<<2*9=18>>18",
           "\\boxed{18 = 36/2}",
           "\\boxed{20-2=18\\text{ eggs}}",
           "\\boxed{18^\\circ}",
           "\\boxed{18\\text{ g of H}_2\\text{O}}",
           "\\boxed{18\\text{ m}^2}",
           "<answer>First 9 and 9, so 18.</answer>",
           "She had 20, 2 of which broke, and has 18 now",
           "Of 17 and 18, the second is meant: 18",
           "He has 2 or 3 left of 20. It is 18.",
           "\\boxed{18\\frac{\\text{km}}{\\mathrm{h}}}",
           "#### 18</s>",
           "#### 18<|end of text|>",
           "<answer>18<br></answer>",
           "Two or more\n\n18",
           "from 20 to 18",
           "$8 + $10 or $18",
           "2x = 36, 2x/2 = 36/2 or 18 = x",
           "Day 2:18 pages",
           "The number fell from 20-18",
           "\u5c0f\u660e\u67092\u4e2a\uff0c\u4e00\u517118\u4e2a",
           "the numbers are 4 18",
           "The answer is \\boxed{18}. That took 3 steps.",
           "\\boxed{18.0} in short, or \\boxed{ \\text{18 eggs} }; 99",
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

TEST(Gsm8kAccuracy, TakesTheNumberThatACorrectionMeans) {
  for (const char* completion :
       {"It is 18, not 17.", "She has 18 dollars, not 17", "18 not 17", "18 rather than 17", "So it is 18 instead of 17.",
        "The answer is 18 (not 17).", "18, but not 17", "<answer>It is 18 eggs, not 17</answer>", "Of 20 eggs she has 18, not 17."}) {
    EXPECT_EQ(score(completion, "18"), 1) << completion;
    EXPECT_EQ(score(completion, "17"), 0) << completion;
  }
  for (const char* completion : {"Not 17, not 18", "17 or 18, not 16", "It is not 18, not 17", "17 is not 18", "It is twice 18, not 17",
                                 "at least 18, not 17", "18k, not 17"}) {
    EXPECT_EQ(score(completion, "18"), 0) << completion;
    EXPECT_EQ(score(completion, "17"), 0) << completion;
  }
}

TEST(Gsm8kAccuracy, PaysForNoNumberThatIsPartOfAnother) {
  for (const char* completion : {"one 18th", "It is one 18th of the cake.", "It is two 18ths", "a factor of 18",
                                 "The answer is a factor of 18.", "one of the divisors of 18", "50 less 18", "18 is wrong",
                                 "So 18 is incorrect.", "18 eggs is wrong", "18 is not the answer", "18 isn't right", "18 was not it"}) {
    EXPECT_EQ(score(completion, "18"), 0) << completion;
  }
  for (const char* completion : {"It grew by a factor of 18.", "He was 18th", "50 less 32 is 18", "18 is right", "18 is the answer",
                                 "Of 20, not all are left: 18"}) {
    EXPECT_EQ(score(completion, "18"), 1) << completion;
  }
}

// Whatever of the two numbers is right, an answer that gives both earns nothing.
TEST(Gsm8kAccuracy, PaysForNoChoice) {
  const std::vector<std::string> choices = {
      "17 or 18",   "17 18",    "16 17 18", "17-18",           "17\u201318",      "17 - 18",          "17, 18",
      "17,18",      "17/18",    "17 / 18",  "17 and 18",       "either 17 or 18", "17 to 18",         "17 (or 18)",
      "17; 18",     "18 or 17", "17 = 18",  "18 apples or 17", "17 \u00b1 18",    "17\\text{ or }18", "17\\ \\text{or}\\ 18",
      "$17$, $18$", "{17, 18}", "17:18",    "not 17 but 18"};
  for (const std::string& choice : choices) {
    for (const std::string number : {"17", "18"}) {
      for (const std::string& completion :
           {"\\boxed{" + choice + "}", "$\\fbox{" + choice + "}$.", "#### " + choice, "Well.\n####" + choice + " eggs\nThat is it.",
            "<answer>\\boxed{" + choice + "}</answer>", "#### \\boxed{" + choice + "}"}) {
        EXPECT_EQ(score(completion, number), 0) << completion;
      }
    }
  }
  for (const char* completion : {"17 or 18",
                                 "17 18",
                                 "16 17 18",
                                 "17-18",
                                 "17\u201318",
                                 "17, 18",
                                 "17,18",
                                 "17/18",
                                 "17 to 18?",
                                 "17; 18",
                                 "<answer>17 or 18</answer>",
                                 "<answer>17 18</answer>",
                                 "<answer>It is 17, 18</answer>",
                                 "<answer>It is 17-18.</answer>",
                                 "<answer>about 17 to 18</answer>",
                                 "<answer>17</answer> <answer>18</answer>",
                                 "<answer>17</answer> or rather <answer>18</answer>",
                                 "\\boxed{17} or \\boxed{18}",
                                 "\\boxed{17} is wrong, \\boxed{18} is right",
                                 "\\boxed{17}\n#### 18",
                                 "#### 17\n\\boxed{17} \\boxed{18}",
                                 "It is 17 or 18.",
                                 "She has either 17 eggs or 18.",
                                 "It is 17 or maybe 18.",
                                 "between 17 and 18",
                                 "It is 17-18.",
                                 "It is 17 (or 18).",
                                 "It is 17 or\n18",
                                 "It is 17, 18.",
                                 "The answer is 16, 17, 18",
                                 "It is $17$, $18$.",
                                 "It is 17; 18",
                                 "It is 17 & 18",
                                 "#### 17 < 18"}) {
    EXPECT_EQ(score(completion, "18"), 0) << completion;
  }
}

TEST(Gsm8kAccuracy, PaysForNoPartOfATerm) {
  for (const char* term : {"18\\pi",
                           "18\u03c0",
                           "\\sqrt{18}",
                           "\\sqrt 18",
                           "\\sqrt[3]{18}",
                           "\u221a18",
                           "18x",
                           "18y + 1",
                           "x < 18",
                           "x \\leq 18",
                           "> 18",
                           "\\pm 18",
                           "\u00b118",
                           "18^2",
                           "18\u00b2",
                           "18^{n}",
                           "18_7",
                           "\\frac{18}{7}",
                           "\\frac{x}{18}",
                           "\\frac{18}{x}",
                           "\\frac{18",
                           "18\\%\\text{ or so}",
                           "18!7",

                           "18e2",
                           "18 \\times 10^2",
                           "18x3",
                           "18:00",
                           "18.18.18",
                           "0.\\overline{18}",
                           "\\binom{18}{1}",
                           "18\\log 2",
                           "18 \\mod 4",
                           "not 18",
                           "18,18",
                           "18\u00bd",
                           "18\u202f018",
                           "18\\,018"}) {
    EXPECT_EQ(score(std::string("\\boxed{") + term + "}", "18"), 0) << term;
    EXPECT_EQ(score(std::string("#### ") + term, "18"), 0) << term;
  }
  EXPECT_EQ(score("It costs Rs.18", "18"), 1);
  EXPECT_EQ(score("It costs Rs.18", "0.18"), 0);
}

TEST(Gsm8kAccuracy, PaysForNoBoundAndNoDenial) {
  for (const char* answer :
       {"\u2265 18", "\u226418", "\u2260 18", "18+", "18 + eggs", "more than 18", "more than (18)", "greater than: 18", "fewer than $18",
        "isn't 18", "it can't be 18", "never 18", "cannot be 18", "18 is not it", "18, never more"}) {
    EXPECT_EQ(score(std::string("\\boxed{") + answer + "}", "18"), 0) << answer;
    EXPECT_EQ(score(std::string("#### ") + answer, "18"), 0) << answer;
  }
  for (const char* completion : {"The answer is not 18", "The answer isn't 18.", "It is not equal to 18", "It is never exactly 18",
                                 "It can\u2019t be $18", "It is 17, not 18.", "<answer>It is not 18</answer>", "It is more than 18",
                                 "He has fewer than $18 left.", "<answer>less than 18 eggs</answer>"})
    EXPECT_EQ(score(completion, "18"), 0) << completion;
  for (const char* completion :
       {"Not 17, but 18", "If one did not break, she would have 18.", "There are not enough: 18", "The number of eggs not sold is 18.",
        "The number of children who did not eat is 18.", "18 more than Ann", "#### 18 more than Ann", "He wants at least 18",
        "It is more than 17: 18", "20 + 18 = 38, or not. It is 18"})
    EXPECT_EQ(score(completion, "18"), 1) << completion;
}

TEST(Gsm8kAccuracy, PaysForNoNumberThatItsContextChanges) {
  for (const char* answer : {"at least 18",
                             "at most 18",
                             "up to 18",
                             "over 18",
                             "below $18",
                             "twice 18",
                             "double 18",
                             "half of 18",
                             "three times 18",
                             "a third of 18",
                             "10% of 18",
                             "10 percent of 18",
                             "2/3 of the 18",
                             "the square of 18",
                             "the square root of 18",
                             "a multiple of 18",
                             "3 to the power of 18",
                             "3 mod 18",
                             "sqrt(18)",
                             "log 18",
                             "f(18)",
                             "2(18)",
                             "(2)(18)",
                             "2\u00b718",
                             "x + 18",
                             "18 + x",
                             "18 - x",
                             "18/x",
                             "18 squared",
                             "18 cubed",
                             "18 or more",
                             "18 or less",
                             "18 and above",
                             "18+.",
                             ">= 18",
                             "<= 18",
                             "!= 18",
                             "\u2265 18",
                             "greater than or equal to 18",
                             "other than 18",
                             "anything but 18",
                             "17 rather than 18",
                             "17 instead of 18",
                             "17 as opposed to 18",
                             "3 hours and 18 minutes",
                             "3 feet 18 inches",
                             "5 dollars and 18 cents"}) {
    EXPECT_EQ(score(std::string("The answer is ") + answer, "18"), 0) << answer;
    EXPECT_EQ(score(std::string("<answer>It is ") + answer + "</answer>", "18"), 0) << answer;
  }
  for (const char* completion : {"#### at least 18", "#### twice 18", "\\boxed{\\text{at most }18}", "<answer>up to 18</answer>",
                                 "It exceeds 18", "x > 18", "x \u2264 18", "The answer is \\sqrt(18)", "\\sqrt(18) apples", "\\tan(18)",
                                 "\u7b54\u6848\u4e0d\u662f18", "No es 18", "\\boxed{18!}", "<answer>18!</answer>"})
    EXPECT_EQ(score(completion, "18"), 0) << completion;
  for (const char* completion : {"He needs at least 18 eggs",
                                 "She can buy up to 18",
                                 "He jumped over 18 hurdles",
                                 "Twice 9 is 18",
                                 "He has twice as many, 18",
                                 "Half of 36 is 18.",
                                 "10% of 180 = 18",
                                 "It took 3 hours, and he read 18 pages",
                                 "He has 2 dogs and 18 cats",
                                 "a total of 18",
                                 "The number of eggs (18)",
                                 "a = b => 18",
                                 "so -> 18",
                                 "\n> 18 eggs",
                                 "It is greater than or equal to 5, so 18",
                                 "18 or so",
                                 "2 * 9 = 18 - more than enough",
                                 "She has 18 (over half of them)",
                                 "\\text(18) apples",
                                 "$\\dfrac{36}{2} = \\left(18\\right)$ apples",
                                 "He eats 18 and less sugar",
                                 "The answer is 18!"})
    EXPECT_EQ(score(completion, "18"), 1) << completion;
}

TEST(Gsm8kAccuracy, PaysForNoNumberThatALetterMultiplies) {
  for (const char* answer : {"18k", "$18K", "18x", "18n"}) {
    EXPECT_EQ(score(std::string("It costs ") + answer, "18"), 0) << answer;
    EXPECT_EQ(score(std::string("#### ") + answer, "18"), 0) << answer;
    EXPECT_EQ(score(std::string("<answer>") + answer + "</answer>", "18"), 0) << answer;
  }
  for (const char* answer : {"18kg", "18 kg", "18km", "18!", "18th", "18\u00a0k\u00e9"})
    EXPECT_EQ(score(std::string("It is ") + answer, "18"), 1) << answer;
}

TEST(Gsm8kAccuracy, PaysForNoLastPartOfAnOperation) {
  for (const char* completion :
       {"The answer is 10 + 18.", "It is 6 * 18", "It is 6 \u00d7 18", "It is $10 + $18", "It is 10 plus 18", "It is 40 minus 18",
        "6 times 18", "It is 6 multiplied by 18", "It is 90 divided by 18", "It is 90 \u00f7 18"})
    EXPECT_EQ(score(completion, "18"), 0) << completion;
  for (const char* completion :
       {"It is 36 \u00f7 2", "#### 36 \\div 2", "10 + 8 is 18", "10 plus 8 makes 18", "He has 2 times as many, 18"})
    EXPECT_EQ(score(completion, "18"), 1) << completion;
}

TEST(Gsm8kAccuracy, ReadsSignsInWords) {
  for (const char* completion : {"minus 18", "negative 18", "It is negative 18 degrees", "The answer is minus 18.", "#### negative $18",
                                 "Answer: minus 18", "\\boxed{\\text{negative }18}", "equal to minus 18"}) {
    EXPECT_EQ(score(completion, "-18"), 1) << completion;
    EXPECT_EQ(score(completion, "18"), 0) << completion;
  }
  EXPECT_EQ(score("20 minus 2 is 18", "18"), 1);
}

struct Spelling {
  std::string number;
  std::vector<std::string> same;
};

TEST(Gsm8kAccuracy, KnowsANumberHoweverItIsWritten) {
  const std::vector<Spelling> spellings = {
      {"1200",
       {"1,200",
        "$1,200.00",
        "$ 1200",
        "\\$1{,}200",
        "1,\\!200",
        "1200.0",
        "1200 dollars",
        "$1200 million",
        "01200",
        "\u20ac1200",
        "1,200.",
        "(1,200)",
        "2400/2",
        "1.2e3",
        "1.2 \\times 10^3",
        "1.2 \u00d7 10\u00b3",

        "1\\,200",
        "1\u202f200",
        "1\u00a0200",
        "\uff11\uff12\uff10\uff10",
        "\u0661\u0662\u0660\u0660"}},
      {"1234567", {"1,234,567", "1{,}234{,}567", "$1,234,567.000 in all"}},
      {"50",
       {"50%", "50 %", "50\\%", "50.00%", "$50/day", "50km", "50 m^2", "50 m_2", "50 $\\text{m}^{2}$", "50 m\u00b2", "50\\text{ mol N}_2",
        "x=50", "100 - 50 = 50"}},
      {"0.5",
       {".5", "0.50", "1/2", "2/4", "\\frac{1}{2}", "\\dfrac{5}{10}", "half is 0.5", "\u00bd", "1\u20442", "1 / 2", "\\frac12",
        "\\frac 1 2", "\\frac{ 1.5 }{ 3 }", "\\boxed{\\cfrac{-1}{-2}}", "5e-1", "5 \\times 10^{-1}", "0.25/0.5"}},
      {"-0.5",
       {"\\boxed{\\frac{-1}{2}}", "\\frac{1}{-2}", "-\\frac{1}{2}", "\\boxed{-\\frac{-1}{-2}}", "\u2013\u00bd", "\\frac{\u22121}{2}"}},
      {"-3",
       {"-3", "-$3", "$-3", "\u22123", "= -3", "= - 3", "<answer>- 3</answer>", "\\boxed{-3}", "\\boxed{- 3}", "\\(-3\\)", "a loss of (-3)",
        "a loss of \u20133", "\uff0d3", "-\u20ac3", "\u20ac-3", "**-3**", "-3.0", "-9/3", "-\\frac{6}{2}"}},
      {"3", {"They have\n- 3 apples", "x-3", "6 - 3 = 3", "6\u20133=3", "(6)-3=3", "10 \u2212 7 is 3", "1.5 + 1.5 = 3"}},
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
  EXPECT_THAT(
      [] { score("7", ""); },
      ThrowsMessage<Error>("gsm8k_accuracy: expected a reference with one number, which 64-bit integers can say as a fraction, found ''"));
  EXPECT_THAT([] { score("7", "seven\nno"); }, ThrowsMessage<Error>(HasSubstr("found 'seven?no'")));
}

TEST(Gsm8kAccuracy, KnowsOtherTags) {
  const Gsm8kAccuracy reward({.tag = "result"});
  EXPECT_EQ(judged(reward, "<answer>5</answer><result>6</result> 7", "6"), 1);
  EXPECT_THAT([] { Gsm8kAccuracy({.tag = "<b>"}); }, ThrowsMessage<Error>(HasSubstr("gsm8k_accuracy: expected a tag's name")));
}

}  // namespace
}  // namespace paretofl
