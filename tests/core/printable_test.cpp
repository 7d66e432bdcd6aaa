#include "paretofl/core/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace paretofl {
namespace {

using namespace std::string_literals;

TEST(Printable, KeepsWhatIsText) {
  const std::string text = "seed=1 é 日本 🇯🇵 \xe2\x80\x8d '\\x1b'";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, SpellsOutWhatActsOnATerminal) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f\0e"s), "a\\nb\\tc\\rd\\x7f\\x00e");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J\xc2\x80\xc2\x9f\xc2\xa0"),
            "\\u009b2J\\u0080\\u009f\xc2\xa0")
      << "control characters beyond ASCII";
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gpj.exe\xe2\x81\xa6\xe2\x80\xa8"),
            "\\u202egpj.exe\\u2066\\u2028");
}

TEST(Printable, SpellsOutWhatIsNotUtf8) {
  EXPECT_EQ(printable("\xff\x9b"
                      "a\xc3"),
            "\\xff\\x9ba\\xc3");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "an overlong form";
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(printable("\xf0\x80\x82\x9b"), "\\xf0\\x80\\x82\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond U+10FFFF";
}

TEST(PrintableJson, MeansTheSame) {
  EXPECT_EQ(printable_json("{\n  \"\xc2\x9b\x7f\xe2\x80\xae\": \"é\\u001b\"\n}"), "{\n  \"\\u009b\\u007f\\u202e\": \"é\\u001b\"\n}");
}

}  // namespace
}  // namespace paretofl
