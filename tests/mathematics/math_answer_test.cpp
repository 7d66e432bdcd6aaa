#include "paretofl/mathematics/math_answer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace paretofl {
namespace {

// Answers that all say the same, those of another row something else.
const std::vector<std::vector<std::string>> kAnswers = {
    {"1\\text{ hour }31\\text{ minutes}", "1 hr 31 min"},
    {"31"},
    {"2024-01-05", "$2024-01-05$"},
    {"2018"},
    {"2024-12-15"},
    {"1997"},
    {"5\\text{ ft }7\\text{ in}", "5 feet 7 inches"},
    {"35"},
    {"3 dollars 27 cents"},
    {"81"},
    {"5 thousand 300"},
    {"1500000"},
    {"5\\% \\cdot 38"},
    {"190"},
    {"61,62,63,\\ldots", "61,62,63,...", "61, 62, 63, \\dots", "61,62,63,\u2026"},
    {"61,62,63"},
    {"0.59...", "0.59\\ldots"},
    {"0.59"},
    {"47", "47 = x", "50-3=x", "{\\bf 47}", "x=47"},
    {"46", "\\angle ABC = 46^\\circ"},
    {"45", "m\\angle A = 45^\\circ", "\\text{45}"},
    {"AB=47=48"},
    {"p\\land q", "p \\wedge q"},
    {"p\\lor q"},
    {"r < 71 \\lor r > 73", "r<71\\text{ or }r>73", "(-\\infty,71)\\cup(73,\\infty)"},
    {"\\frac{dv}{dw}"},
    {"\\frac{v}{w}"},
    {"\\frac{d}{dw}"},
    {"\\frac{1}{w}"},
    {"\\frac{1}{2}",
     "\\dfrac{1}{2}",
     "\\tfrac12",
     "\\frac12",
     "\\frac 12",
     "\\frac{ 1 }{ 2 }",
     "1/2",
     "0.5",
     ".5",
     "0.50",
     "\\frac{2}{4}",
     "$\\frac{1}{2}$",
     "\\(\\frac{1}{2}\\)",
     "\\left(\\frac{1}{2}\\right)",
     "x = \\frac{1}{2}",
     "x=.5",

     "2^{-1}",
     "4^{-1/2}",
     "\\sqrt{\\frac14}",
     "\\frac12.",
     "+0.5",
     "{\\frac{1}{2}}",
     "**1/2**",
     "\\frac{0.5}{1}",
     "\\cfrac{1}{2}",
     "\\displaystyle\\frac{1}{2}"},
    {"-\\frac{1}{2}", "\\frac{-1}{2}", "\\frac{1}{-2}", "-0.5", "\u22121/2", "-1/2", "-\\left(\\frac12\\right)"},
    {"\\frac{11}{3}", "3\\frac{2}{3}", "3 \\frac23", "3 2/3", "3\\tfrac{2}{3}", "11/3", "\\frac{22}{6}", "3\\dfrac{2}{3}\\text{ feet}"},
    {"-3\\frac23", "-11/3", "-3 2/3"},
    {"2\\sqrt{3}", "2\\sqrt3", "2 \\sqrt 3", "\\sqrt{12}", "2\\cdot\\sqrt{3}", "2 * sqrt(3)", "2\u221a3", "\\frac{6}{\\sqrt{3}}",
     "2\\times 3^{1/2}", "12^{0.5}"},
    {"3.4641016151"},
    {"\\frac{\\sqrt{3}}{2}", "\\frac{\\sqrt3}2", "\\frac12\\sqrt3", "\\sqrt{3}/2", "\\sqrt{\\frac{3}{4}}", "\\frac{3}{2\\sqrt{3}}",
     "\\sqrt{0.75}"},
    {"\\frac{1+\\sqrt{5}}{2}", "\\frac{\\sqrt5+1}{2}", "(1+\\sqrt{5})/2", "\\frac12 + \\frac{\\sqrt5}{2}"},
    {"\\sqrt[3]{2}", "2^{1/3}", "2^{\\frac13}"},
    {"-2", "\\sqrt[3]{-8}", "(-8)^{1/3}"},
    {"\\frac{3\\pi}{4}", "\\frac34\\pi", "3\\pi/4", "0.75\\pi", "\\frac{3}{4} \\pi", "135\\pi/180", "3\u03c0/4", "3pi/4"},
    {"1024", "2^{10}", "1,024", "1{,}024", "1 {, }024", "1, \\! 024", "1{,} 024", "1,\\!024", "1\\,024", "1 024", "1024.00", "\\text{1024}",
     "\\mathrm{1024}", "n=1024", "32^2", "1024\\text{ ways.}"},
    {"1000000", "1,000,000", "1,\\!000,\\!000", "1{,}000{,}000", "10^6", "1 000 000"},
    {"9007199254740993"},
    {"9007199254740992", "2^{53}"},
    {"3^{2007}", "3^{ 2007 }", "3\\cdot 3^{2006}"},
    {"3^{2008}"},
    {"\\frac{1}{2004!}", "\\dfrac1{2004!}", "\\frac{2005}{2005!}"},
    {"3+4i", "3 + 4i", "4i+3", "3+4 i", "(3+4i)"},
    {"3-4i", "-4i+3"},
    {"\\frac{1}{5}+\\frac{3}{5}i", "\\frac{1+3i}{5}", "0.2+0.6i", "\\frac15 + \\frac{3i}{5}"},
    {"i", "\\sqrt{-1}"},
    {"3", "(3)", "x=3", "3.", "3.0", "\\sqrt{9}"},
    {"-3", "x = -3", "\\boldsymbol{-3}", "- 3"},
    {"\\{3,4\\}", "3,4", "4, 3", "\\{4,3\\}", "3 \\text{ and } 4", "3\\text{ or }4", "x=3,4", "x = 3, x = 4", "\\left\\{3, 4\\right\\}",
     "3;4", "3 and 4", "\\lbrace 3,4 \\rbrace"},
    {"(3,4)", "\\left(3, 4\\right)", "( 3 , 4 )", "(3.0,\\frac82)", "(x,y)=(3,4)", "\\bigl(3,4\\bigr)"},
    {"(4,3)"},
    {"[3,4]", "\\left[3,4\\right]", "x \\in [3,4]", "[3,\\,4]"},
    {"(3,4]"},
    {"[3,4)"},
    {"1\\pm\\sqrt{5}", "1+\\sqrt5,1-\\sqrt5", "1-\\sqrt{5}, 1+\\sqrt{5}", "\\{1 \\pm \\sqrt5\\}", "\\sqrt5+1 \\text{ and } 1-\\sqrt5",
     "1\u00b1\u221a5"},
    {"\\frac{1\\pm\\sqrt{5}}{2}", "\\frac{1+\\sqrt5}{2},\\frac{1-\\sqrt5}{2}"},
    {"7, -2, \\text{ and } -5", "-5,-2,7", "7,-2,-5"},
    {"1,1", "\\{1,1\\}"},
    {"1"},
    {"(-\\infty,-2]\\cup[2,\\infty)", "[2,\\infty)\\cup(-\\infty,-2]", "\\left(-\\infty, -2\\right] \\cup \\left[2, +\\infty\\right)",
     "x\\in(-\\infty,-2]\\cup[2,\\infty)", "(-\u221e,-2]\u222a[2,\u221e)", "(-\\infty,-2] union [2,infinity)"},
    {"(-\\infty,-2)\\cup(2,\\infty)"},
    {"\\begin{pmatrix} 1 & 2 \\\\ 3 & \\frac12 \\end{pmatrix}", "\\begin{bmatrix}1&2\\\\3&0.5\\end{bmatrix}",
     "\\left(\\begin{array}{cc}1&2\\\\3&.5\\end{array}\\right)", "\\left[\\begin{matrix}1&2\\\\3&1/2\\\\\\end{matrix}\\right]"},
    {"\\begin{pmatrix} 1 & 3 \\\\ 2 & \\frac12 \\end{pmatrix}"},
    {"\\begin{pmatrix} 1 \\\\ 2 \\\\ 3 \\\\ 1/2 \\end{pmatrix}"},
    {"\\begin{vmatrix} 1 & 2 \\\\ 3 & \\frac12 \\end{vmatrix}"},
    {"1101_4", "1101_{4}", "1101_{ 4 }", "1,\\!101_4"},
    {"1101_5"},
    {"1101"},
    {"152A_{11}"},
    {"11_2"},
    {"2x+3", "3+2x", "2 x + 3", "y=2x+3", "2\\cdot x+3", "3.0+x\\cdot2"},
    {"2y+3"},
    {"(x-1)(x+2)", "(x+2)(x-1)", "(x + 2) \\cdot (x - 1)"},
    {"x^2+x-2", "x^{2} + x - 2", "x - 2 + x^2"},
    {"\\frac{x+2}{7}", "\\frac{2+x}7", "(x+2)/7", "\\frac17(x+2)"},
    {"\\frac{3x^2}{2}", "\\frac32x^2", "1.5x^2", "3x^2/2"},
    {"36x\\sqrt{35x}", "36 x \\sqrt{35 x}"},
    {"-\\sqrt{x-2}+2", "2-\\sqrt{x-2}"},
    {"\\alpha+\\beta", "\\beta+\\alpha"},
    {"\\frac{2}{3} \\theta", "\\frac{2\\theta}{3}"},
    {"x^2+y^2=13", "x^{2}+y^{2} = 13", "y^2+x^2=13"},
    {"x=y"},
    {"f(2) < f(1) < f(4)", "f(2)<f(1)<f(4)"},
    {"2(x+1)(x+2)", "(2+x)*2(1+x)"},
    {"2(x^2+3x+2)", "2(2+3x+x^2)"},
    {"2\\frac{5}{2}", "5"},
    {"\\sqrt{2}"},
    {"1.4142135624"},
    {"1.4142", "\\frac{7071}{5000}"},
    {"1,234,56", "56, 1, 234"},
    {"1234, 56", "56, 1,\\!234"},
    {"3 4"},
    {"34"},
    {"11a+c=7", "7 = c+11a"},
    {"x \\leq 5", "x <= 5", "5 \\ge x", "x \\le 5.0"},
    {"x < 5", "x \\lt 5", "5>x"},
    {"x > 5", "5 < x"},
    {"x \\ne 5", "x != 5", "5 \\neq x"},
    {"1 < x \\leq \\frac{3}{2}", "1.5 \\geq x > 1"},
    {"1:2", "1 : 2"},
    {"\\cos 58^\\circ", "\\cos 58"},
    {"\\cos\\frac{x}{2}", "\\cos\\dfrac{x}2"},
    {"\\text{Evelyn}", "Evelyn", "\\textbf{Evelyn}", "evelyn", " \\mbox{ Evelyn } "},
    {"\\text{neither}", "neither"},
    {"\\text{(C)}", "C", "(C)", "\\text{C}", "(\\text{C})", "\\mathrm{C}"},
    {"\\text{A,C,F}", "A, C, F", "F,A,C"},
    {"\\text{MAKE}", "MAKE"},
    {"\\text{KAME}"},
    {"9\\text{ a.m.}", "9 a.m.", "9\\text{ AM}", "9 am", "9\\text{AM}"},
    {"9\\text{ p.m.}", "9 PM"},
    {"9", "9\\text{ square\nunits}", "9 ways", "9 different ways", "9\\text{ apples}"},
    {"9m"},
    {"\\{2, 5\\}", "2,\\!5", "2{,}5", "2 , 5"},
    {"15,600", "15600", "15,\\!600"},
    {"45, 135", "45^\\circ, 135^\\circ", "135, 45"},
    {"45135", "45,135"},
    {"0", "0.0", "-0", "\\frac{0}{5}"},
    {"\\emptyset", "\\varnothing", "\\{\\}", "\\{ \\}", "\u2205"},
    {"\\infty", "+\\infty"},
    {"-\\infty"},
    {"\\frac{1}{3}", "1/3", "\\frac{100}{300}", "0.\\overline{3}", "0.3\\overline{3}", "0.\\bar3", "\u2153"},
    {"0.333"},
    {"0.3333333333"},
    {"P(x) \\implies Q(x)", "P(x)\\implies Q(x)"},
};

TEST(MathAnswer, IsTheSameHoweverItIsWritten) {
  for (const auto& spellings : kAnswers) {
    for (const std::string& a : spellings) {
      for (const std::string& b : spellings) EXPECT_TRUE(same_math_answer(a, b)) << a << " is " << b;
    }
  }
}

TEST(MathAnswer, IsNoOther) {
  for (std::size_t i = 0; i < kAnswers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (const std::string& a : kAnswers[i]) {
        for (const std::string& b : kAnswers[j]) {
          EXPECT_FALSE(same_math_answer(a, b)) << a << " is not " << b;
        }
      }
    }
  }
}

TEST(MathAnswer, HasTheOrderOfItsNames) {
  EXPECT_TRUE(same_math_answer("a=3, b=4", "3, 4"));
  EXPECT_FALSE(same_math_answer("a=3, b=4", "4, 3"));
  EXPECT_FALSE(same_math_answer("4, 3", "a=3, b=4"));
  EXPECT_TRUE(same_math_answer("b=4, a=3", "a=3, b=4"));
  EXPECT_FALSE(same_math_answer("a=4, b=3", "a=3, b=4"));
  EXPECT_TRUE(same_math_answer("x=3, x=4", "4, 3"));
}

TEST(MathAnswer, MayBearAName) {
  for (const char* name : {"x", "x_1", "x_{12}", "f(x)", "P(2)", "\\theta", "(x,y)", "(a, b)"}) {
    const std::string named = std::string(name) + " = ";
    EXPECT_TRUE(same_math_answer(named + "(1,2)", "(1,2)")) << named;
    EXPECT_TRUE(same_math_answer("2k", named + "2k")) << named;
    EXPECT_FALSE(same_math_answer(named + "2k", "2j")) << named;
  }
  for (const char* no_name : {"2", "2x", "x+1", "x^2", "x_", "(x,2)", "f(x", "-x"}) {
    EXPECT_FALSE(same_math_answer(std::string(no_name) + "=5", "5")) << no_name;
  }
  EXPECT_FALSE(same_math_answer("x=5", "y=5"));
  EXPECT_FALSE(same_math_answer("x=y=5", "5"));
  EXPECT_FALSE(same_math_answer("x=5=y", "5"));
  EXPECT_FALSE(same_math_answer("x=", ""));
}

TEST(MathAnswer, TellsWhatIsCounted) {
  struct Pair {
    const char* a;
    const char* b;
    bool same;
  };
  for (const auto& [a, b, same] : {Pair{"3 boys and 4 girls", "4 girls and 3 boys", true},
                                   {"3 boys and 4 girls", "4 boys and 3 girls", false},
                                   {"3 boys 4 girls", "4 boys 3 girls", false},
                                   {"3\\text{ dimes}, 4\\text{ nickels}", "4\\text{ dimes}, 3\\text{ nickels}", false},
                                   {"3 people and 4 men", "3 men and 4 people", false},
                                   {"3 boys and 4 girls", "3, 4", true},
                                   {"5 apples", "5 oranges", false},
                                   {"5 apples", "5", true},
                                   {"5 children", "5 kids", true},
                                   {"20 ways", "20 choices", true},
                                   {"5 people", "5 students", true},
                                   {"5 lattice points", "5 points", true},
                                   {"5 units", "5 square units", false},
                                   {"5 cubic units", "5\\text{ units}^3", true}}) {
    EXPECT_EQ(same_math_answer(a, b), same) << a << " beside " << b;
    EXPECT_EQ(same_math_answer(b, a), same) << b << " beside " << a;
  }
}

TEST(MathAnswer, HasManyNotations) {
  const std::vector<std::vector<std::string>> notations = {
      {"5.25", "x \\approx 5.25", "AB = BC = 5.25", "\\therefore x = 5.25", "f^{-1}(x) = 5.25", "5.25\u3002", "\uff15\uff0e\uff12\uff15"},
      {"6", "6th", "6^{\\text{th}}", "6\\text{th}", "{12 \\over 2}", "12 \\over 2"},
      {"21", "21st", "21^{st}"},
      {"\\frac16"},
      {"101_2", "101\\text{ base }2", "101_{\\text{two}}", "101_{two}", "101\\text{ (base 2)}", "101 base two", "(101)_2",
       "101_{\\text{base }2}"},
      {"101_3", "101 base 3", "101_{\\text{three}}"},
      {"101"},
      {"1F_{16}", "1F\\text{ base }16"},
      {"0x10"},
      {"0b10"},
      {"0", "0x"},
      {"16"},
      {"0.01", "1e-2"},
      {"(3,\\infty)", "\\{x \\mid x > 3\\}", "\\{x : x > 3\\}", "\\{x \\in \\mathbb{R} \\mid x > 3\\}", "\\{y | y>3\\}"},
      {"[3,\\infty)", "\\{x \\mid x \\ge 3\\}"},
      {"\\{x \\in \\mathbb{Z} \\mid x > 3\\}"},
      {"\\{x \\mid y > 3\\}"},
      {"(1,3)", "\\{x \\mid 1<x<3\\}", "\\{x : x>1 \\text{ and } x<3\\}"},
      {"(-\\infty,1)\\cup(3,\\infty)", "\\{x \\mid x<1 \\text{ or } x>3\\}"},
      {"x=7,y=8", "(x,y)=(7,8)", "y=8, x=7"},
      {"x=8,y=7"},
      {"x\\in\\{7,9\\}", "x=7,9", "x=9\\text{ or }x=7"},
      {"5\\ \\mathrm{m\\,s^{-2}}", "5\\text{ m/s}^2"},
      {"\uff08\uff11\uff0c\uff12\uff09", "(1,2)"},
      {"x=3\\approx 5"},
      {"AB=6=BC=5"}};
  for (const std::vector<std::string>& same : notations) {
    for (const std::vector<std::string>& others : notations) {
      for (const std::string& answer : same) {
        EXPECT_EQ(same_math_answer(answer, others.front()), &same == &others) << answer << " beside " << others.front();
        EXPECT_EQ(same_math_answer(others.front(), answer), &same == &others) << others.front() << " beside " << answer;
      }
    }
  }
  EXPECT_TRUE(same_math_answer("x\\approx 5", "x=5"));
  EXPECT_FALSE(same_math_answer("x=3\\approx 5", "5"));
  EXPECT_FALSE(same_math_answer("x^{-1}(3)=2", "2"));
  EXPECT_FALSE(same_math_answer("x=3\\approx 5", "3"));
  EXPECT_FALSE(same_math_answer("AB=6=BC=5", "5"));
  EXPECT_FALSE(same_math_answer("\\{x \\mid x>1, x<3\\}", "x>1\\text{ or }x<3"));
  EXPECT_TRUE(same_math_answer("(x,y)=(7,8)", "(7,8)"));
}

TEST(MathAnswer, IsShort) {
  EXPECT_TRUE(is_math_answer("5"));
  EXPECT_TRUE(is_math_answer(std::string(1000, '5')));
  for (const std::string& none :
       {std::string(), std::string(" \\left. "), std::string("$$"), std::string(1001, '5'), std::string(51, '{') + "x"}) {
    EXPECT_FALSE(is_math_answer(none)) << none;
    EXPECT_FALSE(same_math_answer(none, "5")) << none;
  }
}

// Texts that a reader of LaTeX could choke on: none is an answer, whatever stands where it breaks off.
TEST(MathAnswer, MayBeBroken) {
  std::vector<std::string> broken = {"{",
                                     "}",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     "\\",
                                     "\\{",
                                     "\\}",
                                     "^",
                                     "_",
                                     "^{",
                                     "\\frac",
                                     "\\frac1",
                                     "\\frac{",
                                     "\\frac{1}{",
                                     "\\frac{1}{0}",
                                     "\\sqrt",
                                     "\\sqrt[",
                                     "\\sqrt[0]{2}",
                                     "\\sqrt[-1]{2}",
                                     "\\sqrt[99999]{2}",
                                     "\\text{",
                                     "\\text",
                                     "5\\text{",
                                     "5\\text{m}^",
                                     "5\\text{m}^{",
                                     "\\begin{",
                                     "\\begin{matrix}",
                                     "\\end{matrix}",
                                     "\\begin{matrix}&",
                                     "0^{-1}",
                                     "0^{1/0}",
                                     "2^{99999999999}",
                                     "2^{2^{2^{2^{2^2}}}}",
                                     "(-2)^{0.3}",
                                     "1,,",
                                     ",",
                                     "5,\\!",
                                     "5{,}",
                                     "1.2.3",
                                     "\\pm",
                                     "=",
                                     "==",
                                     "\\cup",
                                     "-",
                                     "+",
                                     "*",
                                     "1/",
                                     "/1",
                                     "|",
                                     "\xff",
                                     "\xe2\x88"};
  for (const std::string piece : {"(", "{", "\\{", "\\frac", "\\sqrt", "\\text{", "^", "-", "2^", "1,", "\\pm", "\\begin{matrix}", "(1,"}) {
    std::string repeated;
    while (repeated.size() + std::string(piece).size() <= 1000) repeated += piece;
    broken.push_back(repeated);
  }
  for (const std::string& text : broken) {
    EXPECT_FALSE(same_math_answer(text, "5.5")) << text;
    EXPECT_FALSE(same_math_answer("x+5", text)) << text;
  }
}

}  // namespace
}  // namespace paretofl
