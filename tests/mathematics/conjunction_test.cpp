#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/mathematics/judged_pair.h"

namespace paretofl {
namespace {

TEST(Conjunctions, AreTheSameBetweenValuesOnly) {
  expect_judged({
      {R"(x<1 \text{ and } x>3)", R"(x<1 \text{ or } x>3)", false},
      {R"(x>1 \text{ and } x<3)", R"(x<3 \text{ or } x>1)", false},
      {R"(x \le -2 \text{ and } x \ge 2)", R"(x\le-2 \text{ or } x \ge 2)", false},
      {R"(x<1 \land x>3)", R"(x<1 \lor x>3)", false},
      {R"(a>0 \text{ and } b>0)", R"(a>0 \text{ or } b>0)", false},
      {R"(\text{A and B})", R"(\text{A or B})", false},
      {R"(2 and 3)", R"(2, 3)", true},
      {R"(2 and 3)", R"(2 or 3)", true},
      {R"(x=2 \text{ or } x=3)", R"(2,3)", true},
      {R"(x=2 and x=3)", R"(2, 3)", true},
      {R"(x=2 and x=3)", R"(x=2 or x=3)", true},
      {R"(x=2 and y=3)", R"(x=2 or y=3)", false},
      {R"(x=2 or y=3)", R"(2, 3)", false},
      {R"(x=1 or y=2)", R"((x,y)=(1,2))", false},
      {R"(x=1 and y=2)", R"((x,y)=(1,2))", true},
      {R"(x>1, x<3)", R"(x<3 or x>1)", false},
      {R"(x>1, x<3)", R"(x<3 and x>1)", true},
      {R"(x<1, x>3)", R"(x<1 or x>3)", true},
      {R"(x<1, x>3)", R"(x<1 and x>3)", false},
      {R"(a>0, b>0)", R"(a>0 or b>0)", false},
      {R"(a>0, b>0)", R"(a>0 and b>0)", true},
      {R"(x>1, x<3)", R"((1,\infty)\cup(-\infty,3))", false},
      {R"(x<1, x>3)", R"((-\infty,1)\cup(3,\infty))", true},
      {R"(x=1,y=2 or x=2,y=1)", R"(x=1,y=1 or x=2,y=2)", false},
      {R"(x+y=2 and x-y=3)", R"(x+y=2 or x-y=3)", false},
      {R"(3 boys and 4 girls)", R"(3 boys or 4 girls)", false},
      {R"((1,2) and (3,4))", R"((1,2) or (3,4))", true},
      {R"((-\infty,1) and (3,\infty))", R"((-\infty,1) or (3,\infty))", false},
      {R"(p \text{ and } q)", R"(p \text{ or } q)", false},
      {R"(a \text{ and } -a)", R"(a \text{ or } -a)", true},
      {R"(\text{A and C})", R"(A, C)", true},
      {R"(\text{A or C})", R"(A, C)", false},
      {R"(x\ne1, x\ne2)", R"(x\ne1 or x\ne2)", false},
      {R"(x\ne1, x\ne2)", R"(x\ne1 and x\ne2)", true},
      {R"(x\in\{1,2\})", R"(x=1, y=2)", false},
      {R"(x\in\{1,2\})", R"(x=1 or x=2)", true},
      {R"(x\in(1,2) and x\in(2,3))", R"(x\in(1,2) or x\in(2,3))", false},
      {R"(x\in(1,2), x\in(2,3))", R"(x\in(1,2) or x\in(2,3))", true},
      {R"(\{x \mid x>3 \text{ or } x<1\})", R"((-\infty,1)\cup(3,\infty))", true},
      {R"(\{x \mid x>3 \text{ and } x<1\})", R"((-\infty,1)\cup(3,\infty))", false},
      {R"(x<1 or x>3 and x<5)", R"(x<1 and x>3 or x<5)", false},
      {R"(2\text{ and }3\text{ feet})", R"(5\text{ feet})", false},
      {R"(x\ge2)", R"(x\ge 3)", false},
      {R"(x=2\text{ and }y=3)", R"(y=3, x=2)", true},
      {R"(x=2\text{ and }y=3)", R"(x=3, y=2)", false},
      {R"(\{2\text{ and }3\})", R"(\{2,3\})", true},
      {R"(2\text{ and }3)", R"(2\text{ and }4)", false},
      {R"(2, 3, \text{ or } 4)", R"(4, 3, 2)", true},
      {R"(2, 3, \text{ or } 4)", R"(2, 3, \text{ and } 4)", true},
      {R"(7\text{ or more})", R"(7)", false},
      {R"(\text{yes and no})", R"(\text{yes or no})", false},
      {R"(\text{red and blue})", R"(\text{red or blue})", false},
      {R"(\text{red and blue})", R"(\text{blue and red})", true},
      {R"(\text{red and blue})", R"(\text{red, blue})", true},
      {R"((-\infty,1)\text{ or }(3,\infty))", R"(x<1\text{ or }x>3)", true},
      {R"((-\infty,1)\text{ and }(3,\infty))", R"(x<1\text{ or }x>3)", false},
      {R"(0\le x<1\text{ or }2<x\le3)", R"([0,1)\cup(2,3])", true},
      {R"(0\le x<1\text{ and }2<x\le3)", R"([0,1)\cup(2,3])", false},
      {R"(x<1\text{ or }x>3)", R"((1,3))", false},
      {R"(x<1 ∨ x>3)", R"(x<1\text{ or }x>3)", true},
      {R"(x<1 ∧ x>3)", R"(x<1\text{ or }x>3)", false},
      {R"(x=-1\text{ or }x>3)", R"(x=-1, x>3)", true},
      {R"(x=-1\text{ and }x>3)", R"(x=-1, x>3)", false},
      {R"(\sqrt{2}\text{ and }-\sqrt2)", R"(\pm\sqrt2)", true},
      {R"(x+y=5\text{ and }x-y=1)", R"(x+y=5\text{ or }x-y=1)", false},
      {R"(x+y=5\text{ and }x-y=1)", R"(x-y=1, x+y=5)", true},
      {R"(x^2=4\text{ and }x^2=9)", R"(x^2=4\text{ or }x^2=9)", false},
      {R"(f(2)=3\text{ and }f(4)=5)", R"(f(2)=3, f(4)=5)", true},
      {R"(f(2)=3\text{ or }f(4)=5)", R"(f(2)=3\text{ and }f(4)=5)", false},
      {R"(n\text{ is even and prime})", R"(n\text{ is even or prime})", false},
      {R"((p\land q))", R"((p\lor q))", false},
      {R"((x>1\text{ and }x<3))", R"((x>1\text{ or }x<3))", false},
      {R"(x>1\text{ and }x<3, y=2)", R"(x>1\text{ or }x<3, y=2)", false},
      {R"(\{x\mid x>1\text{ and }x<3\})", R"(\{x\mid x>1\text{ or }x<3\})", false},
      {R"(\{x\in\mathbb{Z}\mid x>1\text{ and }x<3\})", R"(\{x\in\mathbb{Z}\mid x>1\text{ or }x<3\})", false},
      {R"(x \geq 1 or x \leq -1)", R"(-1 \le x \le 1)", false},
      {R"(x>3 and x>5)", R"(x>3 or x>5)", false},
      {R"(2<x<3 and 5<x<6)", R"(2<x<3 or 5<x<6)", false},
      {R"(2<x<3, 5<x<6)", R"(2<x<3 or 5<x<6)", true},
      {R"(x=2 and x<5)", R"(x=2 or x<5)", false},
      {R"(\text{Alice and Bob})", R"(\text{Alice or Bob})", false},
      {R"(\text{Alice and Bob})", R"(Bob, Alice)", true},
      {R"(\text{I and II})", R"(\text{I or II})", false},
      {R"(\text{I and II})", R"(II, I)", true},
      {R"(\text{I or II})", R"(I, II)", false},
      {R"(A and B)", R"(A or B)", false},
      {R"(1, 2)", R"(1, 2 or 3)", false},
      {R"(3 and 5)", R"(3 or 5)", true},
      {R"(\frac12 and 5)", R"(\frac12 or 5)", true},
      {R"(2\pi or 3\pi)", R"(2\pi and 3\pi)", true},
      {R"(2i or -2i)", R"(\pm 2i)", true},
      {R"(x=a or x=b)", R"(a, b)", true},
      {R"(a or b)", R"(a,b)", true},
      {R"((1\text{ or }2))", R"((1,2))", false},
      {R"((1\text{ or }2))", R"(1, 2)", true},
      {R"(x=1,y=2,x=2,y=1)", R"(x=1,y=1,x=2,y=2)", false},
      {R"(x=1,y=2,x=2,y=1)", R"(x=1.0,y=2,x=2,y=1)", true},
      {R"(x=\pm1, y=2)", R"(y=2, x=\pm1)", true},
  });
}

// Texts of random words, relations and names: an answer is itself, and comparing has no order.
TEST(Conjunctions, HaveNoOrderInRandomTexts) {
  static const std::vector<std::string> kPieces{"x",
                                                "y",
                                                "2",
                                                "3",
                                                "=",
                                                "<",
                                                ">",
                                                "\\leq ",
                                                "\\ne ",
                                                "\\in ",
                                                "\\text{ and }",
                                                "\\text{ or }",
                                                ",",
                                                "(",
                                                ")",
                                                "[",
                                                "]",
                                                "\\{",
                                                "\\}",
                                                "|",
                                                "\\infty ",
                                                "f",
                                                "P",
                                                "\\text{ to }",
                                                "U",
                                                "\\mid ",
                                                "'",
                                                "+",
                                                "-2",
                                                "\\text{ cm}",
                                                " hours ",
                                                " minutes ",
                                                "\\pm ",
                                                "\\mp ",
                                                "\\mod ",
                                                "2020/1/4",
                                                "\\vec ",
                                                "\\sin ",
                                                "^2",
                                                "\\land ",
                                                "_"};
  std::mt19937 random(13);
  const auto text = [&random] {
    std::string text;
    for (unsigned size = 1 + random() % 14; size > 0; --size) text += kPieces[random() % kPieces.size()];
    return text;
  };
  for (int round = 0; round < 20000; ++round) {
    const std::string a = text();
    const std::string b = text();
    EXPECT_EQ(same_math_answer(a, a), is_math_answer(a)) << a;
    EXPECT_EQ(same_math_answer(a, b), same_math_answer(b, a)) << a << " and " << b;
  }
}

}  // namespace
}  // namespace paretofl
