#include "paretofl/rewards/math_accuracy.h"

#include <gmock/gmock.h>

#include "paretofl/core/error.h"
#include "tests/rewards/judged.h"

namespace paretofl {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

double math_score(const std::string& completion, const std::string& reference) { return judged(MathAccuracy({}), completion, reference); }

TEST(MathAccuracy, LooksForTheAnswerWhereItStands) {
  for (const char* completion : {
           "\\boxed{\\frac{1}{2}}",
           "So $x = \\boxed{\\dfrac{1}{2}}$, as 2 x = 1.",
           "\\boxed{3}, no, \\boxed{\\frac12}.",
           "\\fbox{0.5}",
           "\\boxed{3} \\fbox{0.5}",
           "\\fbox{3} \\boxed{0.5}",
           "\\boxed {0.5}",
           "$\\boxed 0.5$ and so on",
           "\\boxed{\\boxed{0.5}}",
           "\\boxedtext{3} \\boxed{0.5} \\boxedtext{3}",
           "<think>\\boxed{3}</think><answer>\\boxed{0.5}</answer>",
           "<answer>0.5</answer>",
           "<answer>\n$\\frac{1}{2}$\n</answer> \\boxed{3}",
           "<answer>3</answer> <answer>It is \\boxed{1/2}, after all.</answer>",
           "<answer>\\boxed{1/2}",
           "<answer> 0.5",
       }) {
    EXPECT_EQ(math_score(completion, "\\frac{1}{2}"), 1) << completion;
  }
}

TEST(MathAccuracy, TakesNoOtherAnswer) {
  for (const char* completion :
       {"", "0.5", "x = \\frac{1}{2}", "\\boxed{}", "\\boxed{ }", "\\boxed", "\\boxed{0.5} \\boxed{3}", "\\boxed{0.5} \\boxed{3",
        "\\boxed{0.5", "<answer></answer> \\boxed{0.5}", "<answer>3</answer> \\boxed{0.5}", "\\boxed{0.5} <answer>",
        "<answer>It is 0.5</answer>", "<answer>0.5</answer> <answer>3</answer>", "\\boxed{0.5, 3}", "\\boxed{0.5 \\text{ or } 3}",
        "\\boxed{-0.5}", "\\boxed{2}", "#### 0.5"}) {
    EXPECT_EQ(math_score(completion, "\\frac{1}{2}"), 0) << completion;
  }
}

TEST(MathAccuracy, KeepsBracesInBoxes) {
  EXPECT_EQ(math_score("\\boxed{\\left\\{\\frac{1}{2}, \\{3\\}\\right\\}}", "\\{\\{3\\}, 0.5\\}"), 1);
  EXPECT_EQ(math_score("\\boxed{\\begin{pmatrix} 1 \\\\ \\frac{1}{2} \\end{pmatrix}}", "\\begin{pmatrix}1\\\\0.5\\end{pmatrix}"), 1);
  EXPECT_EQ(math_score("\\boxed{\\}}", "\\}"), 1);
}

TEST(MathAccuracy, TakesSolutionsForReferences) {
  const std::string solution = "As $x = \\boxed{3}$ is no root, $x = \\boxed{\\tfrac12}$.";
  EXPECT_EQ(math_score("\\boxed{0.5}", solution), 1);
  EXPECT_EQ(math_score("\\boxed{3}", solution), 0);
  EXPECT_THAT([] { math_score("\\boxed{3}", ""); },
              ThrowsMessage<Error>("math_accuracy: expected a reference with an answer of 1 to 1000 bytes, found ''"));
  EXPECT_THAT([] { math_score("\\boxed{3}", "\\boxed{ }"); }, ThrowsMessage<Error>(HasSubstr("found '\\boxed{ }'")));
  EXPECT_THAT([] { math_score("\\boxed{3}", std::string(2000, '3')); }, ThrowsMessage<Error>(HasSubstr("expected a reference")));
}

TEST(MathAccuracy, KnowsOtherTags) {
  const MathAccuracy reward({.tag = "result"});
  EXPECT_EQ(judged(reward, "<answer>5</answer><result>6</result>", "6"), 1);
  EXPECT_THAT([] { MathAccuracy({.tag = ""}); }, ThrowsMessage<Error>(HasSubstr("math_accuracy: expected a tag's name")));
}

}  // namespace
}  // namespace paretofl
