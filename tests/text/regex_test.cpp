#include "paretofl/text/regex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found(const std::string& pattern, std::string_view text) {
  std::vector<std::string> parts;
  for (const TextRange& range : Regex(pattern, "test").matches(text)) parts.emplace_back(range.of(text));
  return parts;
}

// Where Oniguruma and the Perl family read one pattern in two ways, published tokenizers mean Oniguruma's.
TEST(Regex, IntersectsClasses) {
  EXPECT_THAT(found("[a-z&&[^aeiou]]+", "queue&banks"), ElementsAre("q", "b", "nks"));
  EXPECT_THAT(found("[\\p{L}&&[^\\p{Han}]]+", "ab漢cd"), ElementsAre("ab", "cd"));
}

TEST(Regex, ReadsNestedClassesAsUnions) { EXPECT_THAT(found("[a[0-9]]+", "a1[b]"), ElementsAre("a1")); }

TEST(Regex, APlusBehindAnIntervalRepeatsIt) { EXPECT_THAT(found("\\p{Nd}{2}+", "12345"), ElementsAre("1234")); }

TEST(Regex, AnchorsMatchAtEveryLine) {
  EXPECT_THAT(found("^b", "b\nb b"), ElementsAre("b", "b"));
  EXPECT_THAT(found("x$", "x\nx"), ElementsAre("x", "x"));
  EXPECT_THAT(found("\\Ab|x\\z", "b\nb x\nx"), ElementsAre("b", "x"));
}

TEST(Regex, ShortClassesAreUnicodes) {
  EXPECT_THAT(found("\\h+", "beef, tag 0xF"), ElementsAre("beef", "a", "0", "F"));
  EXPECT_THAT(found("[[:alpha:]]+", "éß1ж"), ElementsAre("éß", "ж"));
  EXPECT_THAT(found("\\w+", "naïve_1, ок"), ElementsAre("naïve_1", "ок"));
  EXPECT_THAT(found("\\s", "a\u180Eb\u00A0c"), ElementsAre("\u00A0"));
}

TEST(Regex, AnEmptyMatchNeverDirectlyFollowsAnother) {
  EXPECT_THAT(found("a*", "baac"), ElementsAre("", "aa", ""));
  EXPECT_THAT(found("", "é"), ElementsAre("", ""));
}

TEST(Regex, BytesThatAreNoUtf8ArePartOfNoMatch) {
  EXPECT_THAT(found("[^a]+", "b\xFF\xC3"), ElementsAre("b"));
  EXPECT_THAT(found(".", "\xF0\x9F\x98"), IsEmpty());
  EXPECT_THAT(found("(?<=b)a",
                    "b\x80"
                    "a"),
              IsEmpty());
}

TEST(Regex, RefusesWhatIsNoPattern) {
  EXPECT_THROW(Regex("(", "test"), Error);
  EXPECT_THROW(Regex("\\p{NoSuchScript}", "test"), Error);
  EXPECT_THROW(Regex("a\xFF", "test"), Error);
}

TEST(Regex, RefusesTheClassThatVersionsReadInTwoWays) {
  for (const char* pattern : {"[[:punct:]]", "[a[:^punct:]]", "\\p{Punct}", "\\p{^punct}"})
    EXPECT_THROW(Regex(pattern, "test"), Error) << pattern;
  EXPECT_THAT(found("\\p{P}", "a,$"), ElementsAre(","));
}

TEST(Regex, RefusesALineBreakThatVersionsFindInTwoWays) {
  for (const char* pattern : {"\\s+\\R", "a|\\\\\\R"}) EXPECT_THROW(Regex(pattern, "test"), Error) << pattern;
  EXPECT_THAT(found("\\\\R", "a\\R"), ElementsAre("\\R"));  // a backslash, then the letter
}

TEST(Regex, RefusesATextThatTakesTooManySteps) {
  const Regex regex("(a+a+)+b", "test");
  EXPECT_THROW(regex.matches(std::string(60, 'a')), Error);
}

}  // namespace
}  // namespace paretofl
