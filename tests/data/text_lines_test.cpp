#include "paretofl/data/text_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "tests/images/idx_bytes.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

TEST(TextLines, SplitsLinesIntoWords) {
  TextLines lines(" a  b\t\n\nlast", "f");
  EXPECT_THAT(lines.next("x"), ElementsAre("a", "b"));
  EXPECT_THAT(lines.next("x"), IsEmpty());
  EXPECT_FALSE(lines.at_end());
  EXPECT_THAT(lines.next("x"), ElementsAre("last"));
  EXPECT_EQ(lines.where(), "f:3");
  EXPECT_TRUE(lines.at_end());
  EXPECT_THAT([&] { lines.next("a fourth"); }, ThrowsMessage<Error>("f:4: expected a fourth, found the end of the file"));
}

TEST(TextLines, ReadsNumbersWhole) {
  const TextLines lines("", "f");
  EXPECT_EQ(lines.real("-1.5*^-6"), -1.5e-6);
  EXPECT_EQ(lines.real("0."), 0);
  EXPECT_EQ(lines.count("12", 12), 12U);
  for (const char* word : {"", "-", "1x", "inf", "nan", "1e999", "*^3", "1 2", "0x10"}) EXPECT_THROW(lines.real(word), Error) << word;
  for (const char* word : {"", "0", "13", "-1", "1.5", "99999999999"}) EXPECT_THROW(lines.count(word, 12), Error) << word;
}

TEST(ReadText, ReadsPlainAndGzipAndSaysWhatIsWrong) {
  const auto folder = empty_folder("read_text");
  const std::string text(3000000, 'x');
  const Bytes bytes(text.begin(), text.end());
  const Bytes packed = gzip(bytes);
  write_bytes(folder / "plain", bytes);
  write_bytes(folder / "packed", packed);
  write_bytes(folder / "cut.gz", Bytes(packed.begin(), packed.end() - 20));
  Bytes damaged = packed;
  damaged[packed.size() / 2] ^= 0x55;
  write_bytes(folder / "damaged.gz", damaged);
  EXPECT_EQ(read_text(folder / "plain"), text);
  EXPECT_EQ(read_text(folder / "packed"), text);
  for (const char* name : {"cut.gz", "damaged.gz"}) {
    EXPECT_THAT([&] { read_text(folder / name); }, ThrowsMessage<Error>(HasSubstr("expected an intact file, found damage"))) << name;
  }
  EXPECT_THAT([&] { read_text(folder / "none"); }, ThrowsMessage<Error>(HasSubstr("none: expected a file, found none")));
  EXPECT_THAT([&] { read_text(folder); }, ThrowsMessage<Error>(HasSubstr("expected a file, found a folder")));
}

}  // namespace
}  // namespace paretofl
