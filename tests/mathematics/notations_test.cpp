#include <gtest/gtest.h>

#include "tests/mathematics/judged_pair.h"

namespace paretofl {
namespace {

TEST(Notations, OfDaysLogicAndRatios) {
  expect_judged({
      {R"(2020/1/4)", R"(505)", false},
      {R"(12/25/2020)", R"(\frac{12}{50500})", false},
      {R"(2020-1-4)", R"(2015)", false},
      {R"(2020/1/4)", R"(2020-01-04)", true},
      {R"(3/4)", R"(0.75)", true},
      {R"(12/4/3)", R"(1)", true},
      {R"(2020/4)", R"(505)", true},
      {R"(2\pm\sqrt3)", R"(2\mp\sqrt3)", true},
      {R"(x\equiv 3\mod 7)", R"(x\equiv3\pmod7)", true},
      {R"(x\equiv 3\pmod{11})", R"(x\equiv3 (\text{mod }11))", true},
      {R"(x\equiv 3 (mod 11))", R"(x\equiv3\pmod{11})", true},
      {R"(x\equiv 3\mod 7)", R"(x\equiv3\pmod{11})", false},
      {R"(p\to q)", R"(p\rightarrow q)", true},
      {R"(p\to q)", R"(q\to p)", false},
      {R"(\lnot p)", R"(\neg p)", true},
      {R"(1\text{ to }2)", R"(1:2)", true},
      {R"(1\text{ to }2)", R"(2:1)", false},
      {R"((-\infty,0) U (1,\infty))", R"((-\infty,0)\cup(1,\infty))", true},
      {R"(3\text{ hours and }20\text{ minutes})", R"(3\text{ hours }20\text{ minutes})", true},
      {R"(3\text{ hours and }20\text{ minutes})", R"(3\text{ hours }25\text{ minutes})", false},
      {R"(=5)", R"(5)", true},
      {R"(\texttt{5})", R"(5)", true},
      {R"(\mathtt{5})", R"(5)", true},
      {R"(\emph{5})", R"(5)", true},
      {R"(\Large 5)", R"(5)", true},
      {R"({\Large 5})", R"(5)", true},
      {R"(=5)", R"(6)", false},
      {R"(2-3-2000)", R"(-2001)", false},
      {R"(2000-4)", R"(1996)", true},
      {R"(1/2/2000)", R"(\frac1{4000})", false},
      {R"(1/2/3)", R"(\frac16)", true},
      {R"(10/20/4)", R"(\frac18)", true},
      {R"((2020/1/4))", R"(505)", false},
      {R"(x=2020/1/4)", R"(505)", false},
      {R"(5 \equiv 2 \pmod 3)", R"(5\equiv 2\mod 3)", true},
      {R"(10 \bmod 7)", R"(3)", false},
      {R"(A \Rightarrow B)", R"(A \implies B)", true},
      {R"(A \Rightarrow B)", R"(A \iff B)", false},
      {R"(A \to B)", R"(A \implies B)", false},
      {R"(3:4)", R"(3 to 4)", true},
      {R"(3 to 4)", R"(34)", false},
      {R"(3 to 4)", R"(\frac34)", false},
      {R"(2:3:5)", R"(2\text{ to }3\text{ to }5)", true},
      {R"([0,1] U [2,3])", R"([0,1]\cup[2,3])", true},
      {R"((a+b)U(c+d))", R"((a+b)\cup(c+d))", false},
      {R"(5\text{ feet and }3\text{ inches})", R"(5\text{ ft }3\text{ in})", true},
      {R"(7\text{ cm and 8 cm})", R"(8, 7)", true},
      {R"(3\text{ hours and }20\text{ minutes})", R"(23)", false},
      {R"(3\text{ hours and }20\text{ minutes})", R"(200)", false},
      {R"(2\text{ days, }3\text{ hours})", R"(3\text{ hours and }2\text{ days})", true},
      {R"(== 5)", R"(6)", false},
      {R"(= x)", R"(x)", true},
  });
}

}  // namespace
}  // namespace paretofl
