#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "paretofl/mathematics/math_answer.h"
#include "tests/mathematics/random_texts.h"

namespace paretofl {
namespace {

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

// Each is short, but a careless reading of it needs years or all memory.
std::vector<std::string> hostile() {
  return {"9^{9^{9^9}}",
          "10^{10^9}",
          "(10^{10^9})!",
          "999999999!",
          "((((3!)!)!)!)!",
          "\\binom{999999999}{499999999}",
          "1E999999999",
          "(a+b+c+d+e)^{40}",
          "(a+b)^{99999999}",
          "(1+\\sqrt2+\\sqrt3+\\sqrt5+\\sqrt7)^{40}(\\sqrt[997]{2}+1)^{40}",
          "\\lfloor e^{1000000}\\rfloor",
          "\\sin(10^{1000})",
          "\\sqrt{" + std::string(900, '9') + "}",
          "(3/7)^{8000}" + repeated("(3/7)^{8000}", 40),
          repeated("\\sqrt{", 49) + "2" + std::string(49, '}'),
          repeated("\\frac{1}{x+", 24) + "x" + std::string(24, '}'),
          repeated("(\\sqrt{x+1}+y)", 60),
          std::string(900, '|') + "x",
          "x" + std::string(900, '!'),
          repeated("2^", 300) + "2",
          repeated("x=", 400) + "x",
          "\\{" + repeated("1,", 400) + "1\\}",
          repeated("\\pm1", 200),
          repeated("\\{1,", 49) + "1" + repeated("\\}", 49)};
}

TEST(HostileAnswers, AreUnequalToAnythingElse) {
  for (const std::string& text : hostile()) {
    EXPECT_TRUE(same_math_answer(text, text)) << text;
    EXPECT_FALSE(same_math_answer(text, "x+5")) << text;
    EXPECT_FALSE(same_math_answer("5.5", text)) << text;
    EXPECT_FALSE(same_math_answer(text, text + "+1")) << text;
  }
}

TEST(HostileAnswers, AreNoAnswersWhereTheyAreLong) {
  for (const char* piece : {"1", "1,", "(", "{", "\\frac", "x^", "5 cm "}) {
    const std::string text = repeated(piece, 100000);
    EXPECT_FALSE(is_math_answer(text));
    EXPECT_FALSE(same_math_answer(text, text));
  }
}

TEST(HostileAnswers, AreThemselvesInWhateverOrder) {
  static const std::vector<std::string> kPieces{
      "\\sqrt{", "}",      "(",           ")",         "x",         "y",     "2",   "9",        "^",       "{",        "+",   "-",   "*",
      "/",       "\\frac", "\\sin ",      "\\ln ",     "|",         "!",     ",",   "\\pi",     "e",       "i",        "=",   "<",   "cm",
      "\\pm ",   "\\cup ", "\\text{ cm}", "%",         "^\\circ",   "\\{",   "\\}", "[",        "]",       "_",        ".",   " or", " ",
      "&",       "\\\\",   "\\binom",     "\\lfloor ", "\\rfloor ", "1,000", "\\$", "million ", "\\text{", "\\infty ", "1E5", "000"};
  expect_order_does_not_matter(kPieces, 7, 12);
}

}  // namespace
}  // namespace paretofl
