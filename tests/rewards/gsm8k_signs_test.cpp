// Signs of numbers and of boxes, however they are set.
#include <gtest/gtest.h>

#include "paretofl/rewards/gsm8k_accuracy.h"
#include "paretofl/rewards/math_accuracy.h"
#include "tests/rewards/judged.h"

namespace paretofl {
namespace {

double signed_score(const std::string& completion, const std::string& reference) {
  return judged(Gsm8kAccuracy({}), completion, reference);
}

double signed_math_score(const std::string& completion, const std::string& reference) {
  return judged(MathAccuracy({}), completion, reference);
}

TEST(Gsm8kSigns, AMinusCountsBeforeBracketsFontsAndBoxes) {
  for (const char* completion : {"\\boxed{-\\text{42}}",
                                 "\\boxed{-{42}}",
                                 "\\boxed{-(42)}",
                                 "\\boxed{-\\left(42\\right)}",
                                 "#### -(42)",
                                 "\\boxed{\\text{-}42}",
                                 "\\boxed{-\\mathrm{42}}",
                                 "\\boxed{-\\textbf{42}}",
                                 "\\boxed{-~42}",
                                 "\\boxed{-\\;42}",
                                 "#### **-**42",
                                 "<answer>-(42)</answer>",
                                 "The answer is -(42).",
                                 "-\\boxed{42}",
                                 "\\boxed{-\\boxed{42}}",
                                 "So $x = -\\boxed{42}$.",
                                 "$- \\boxed{42}$",
                                 "\\boxed{-\\,42}",
                                 "The answer is $-\\,42$.",
                                 "\\boxed{-\\$42}",
                                 "\\boxed{-\\text{\\$}42}",
                                 "It is -USD 42.",
                                 "#### -US$42",
                                 "\\boxed{-\\color{red}42}",
                                 "\\boxed{-\\color{red}{42}}",
                                 "-|42|",
                                 "\\boxed{(-)42}",
                                 "\\boxed{{-}42}",
                                 "\\boxed{\\text{Loss: }-42}",
                                 "negative $\\boxed{42}$",
                                 "#### negative (42)",
                                 "-**42**",
                                 "The result is **-**42",
                                 "#### -<b>42</b>",
                                 "The answer is -\\(42\\).",
                                 "\\boxed{\\textminus 42}",
                                 "&minus;42",
                                 "#### -\\boxed{42}",
                                 "\\boxed{-\\bigl(42\\bigr)}",
                                 "\\boxed{-\\left(\\frac{84}{2}\\right)}",
                                 "\\boxed{\\mathbf{-42}}",
                                 "\\boxed{-\\mathbf{ 42 }}",
                                 "<answer>-\\boxed{42}</answer>",
                                 "-\\fbox{42}",
                                 "-$ 42",
                                 "\\boxed{x = -(42)}",
                                 "\\boxed{-\\ 42}"}) {
    EXPECT_EQ(signed_score(completion, "-42"), 1) << completion;
    EXPECT_EQ(signed_score(completion, "42"), 0) << completion;
  }
}

TEST(Gsm8kSigns, AnUnclearSignMakesNoNumber) {
  for (const char* completion : {"\\boxed{-\\hspace{1mm}42}", "-(-42)", "The answer is +-42.", "It is +/-42", "The answer is - 42."}) {
    EXPECT_EQ(signed_score(completion, "-42"), 0) << completion;
    EXPECT_EQ(signed_score(completion, "42"), 0) << completion;
  }
}

TEST(Gsm8kSigns, ADifferenceABulletAndADashAreNoSigns) {
  for (const char* completion :
       {"50 - 8 = 42", "50-(8) = 42", "They have\n- (42) apples", "They have\n- **42** apples", "\n- \\boxed{42}", "50-\\boxed{42}",
        "x-(42)", "The total \u2013 42 apples", "(42)", "\\text{(42)}", "$\\boxed{42}$", "84-(42)=42", "a $42", "**42**"}) {
    EXPECT_EQ(signed_score(completion, "42"), 1) << completion;
    EXPECT_EQ(signed_score(completion, "-42"), 0) << completion;
  }
  for (const char* difference :
       {"#### 50-(8)", "The answer is 50-(8).", "\\boxed{50-\\text{8}}", "\\boxed{50\\text{-}8}", "<answer>50-(8)</answer>"}) {
    for (const char* number : {"8", "-8", "50"}) EXPECT_EQ(signed_score(difference, number), 0) << difference;
  }
  for (const char* completion : {"-<answer>42</answer>", "So \u2212<answer>42</answer>"}) {
    for (const char* number : {"42", "-42"}) {
      EXPECT_EQ(signed_score(completion, number), 0) << completion;
      EXPECT_EQ(signed_math_score(completion, number), 0) << completion;
    }
  }
  EXPECT_EQ(signed_score("---<answer>42</answer>", "42"), 1) << "a rule";
  for (const char* quoted : {"The answer is -`42`.", "The answer is -\"42\"."}) EXPECT_EQ(signed_score(quoted, "-42"), 1) << quoted;
  EXPECT_EQ(signed_score("$-\\frac{3}{2}-\\boxed{2}$", "2"), 1);
}

TEST(MathSigns, AMinusBeforeABoxBelongsToTheAnswer) {
  for (const char* completion :
       {"-\\boxed{42}", "\\boxed{-\\boxed{42}}", "So $x = -\\boxed{42}$.", "\\[ -\\fbox{42} \\]", "$- \\boxed{42}$", "-\\boxed 42",
        "negative \\boxed{42}", "<answer>-\\boxed{42}</answer>", "-\\boxed{42\\text{ cm}}", "-\\boxed{40+2}"}) {
    EXPECT_EQ(signed_math_score(completion, "-42"), 1) << completion;
    EXPECT_EQ(signed_math_score(completion, "42"), 0) << completion;
    EXPECT_EQ(signed_math_score("\\boxed{-42}", completion), 1) << completion << " as a reference";
  }
  EXPECT_EQ(signed_math_score("$-\\boxed{\\frac{1}{2}}$", "-\\frac12"), 1);
  EXPECT_EQ(signed_math_score("-\\boxed{x+1}", "-x-1"), 1);
  EXPECT_EQ(signed_math_score("-\\boxed{x+1}", "-x+1"), 0);
  EXPECT_EQ(signed_math_score("-\\boxed{-42}", "42"), 1);
  EXPECT_EQ(signed_math_score("5-\\boxed{42}", "42"), 1) << "a difference";
  EXPECT_EQ(signed_math_score("Answer:\n- \\boxed{42}", "42"), 1) << "an item of a list";
  for (const char* number : {"42", "-42"}) EXPECT_EQ(signed_math_score("It is - \\boxed{42}", number), 0);
}

}  // namespace
}  // namespace paretofl
