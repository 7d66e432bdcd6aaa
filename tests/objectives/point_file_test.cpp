#include "paretofl/objectives/point_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PointFile, ReadsNumbers) {
  const PointSet points = parse_points("0.7,-1\n8.2,-3e1\n", "x");
  ASSERT_EQ(points.size(), 2);
  EXPECT_THAT(points[0], ElementsAre(0.7, -1));
  EXPECT_THAT(points[1], ElementsAre(8.2, -30));
}

TEST(PointFile, SkipsAHeader) {
  EXPECT_THAT(parse_points("treasure,time\n1,2", "x")[0], ElementsAre(1, 2));
  EXPECT_THAT(parse_points("# treasure, time\n1,2", "x")[0], ElementsAre(1, 2));
  EXPECT_THAT(parse_points("\"time, s\",treasure\n1,2", "x")[0], ElementsAre(1, 2));
  EXPECT_EQ(parse_points("1,2\n3,4", "x").size(), 2);
}

TEST(PointFile, AllowsWhatSpreadsheetsWrite) {
  const PointSet points = parse_points("\xEF\xBB\xBF 1 , +2\r\n\"3\",\" 4\"\r\n\r\n  \n", "x");
  ASSERT_EQ(points.size(), 2);
  EXPECT_THAT(points[0], ElementsAre(1, 2));
  EXPECT_THAT(points[1], ElementsAre(3, 4));
}

TEST(PointFile, ReadsOneColumn) { EXPECT_EQ(parse_points("a\n1\n2\n3", "x").objectives(), 1); }

struct BadText {
  std::string name;
  std::string text;
  std::string message;
};

class BadPointFile : public ::testing::TestWithParam<BadText> {};
INSTANTIATE_TEST_SUITE_P(
    Texts, BadPointFile,
    ::testing::Values(BadText{"empty", "", "empty file"}, BadText{"blank", " \n\n", "empty file"},
                      BadText{"header_only", "a,b\n", "only a header"}, BadText{"short_row", "1,2\n3\n", "line 2: expected 2 numbers"},
                      BadText{"long_row", "1,2\n3,4\n5,6,7", "line 3: expected 2 numbers"},
                      BadText{"row_unlike_header", "a,b\n1,2,3", "line 2: expected 2 numbers"},
                      BadText{"word", "1,2\n3,four\n", "line 2: expected a number within a double's range, found 'four'"},
                      BadText{"mixed_first_line", "1,two\n3,4\n", "line 1: "}, BadText{"second_header", "a,b\nc,d\n1,2\n", "line 2: "},
                      BadText{"nan", "nan,1\n", "line 1: "}, BadText{"all_nan", "nan,nan\n1,2", "line 1: "},
                      BadText{"infinite", "1,2\n3,-inf", "line 2: "}, BadText{"huge", "1e999\n", "line 1: "},
                      BadText{"tiny", "1\n1e-999\n", "line 2: "}, BadText{"trailing_comma", "1,2,\n", "line 1: "},
                      BadText{"gap", "1,2\n\n3,4", "line 2: "}, BadText{"gap_of_one_column", "1\n\n3", "line 2: "},
                      BadText{"semicolons", "1;2\n3;4", "line 2: "}, BadText{"hexadecimal", "1\n0x10", "line 2: "},
                      BadText{"two_signs", "1\n+-2", "line 2: "}, BadText{"open_quote", "1,2\n\"3,4", "line 2: "},
                      BadText{"binary", std::string("1\n\0\x1b[2J\r\xff", 9), "line 2: "}),
    [](const auto& info) { return info.param.name; });

TEST_P(BadPointFile, IsOneClearLine) {
  try {
    parse_points(GetParam().text, "points.csv");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("points.csv"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
    for (const char* c = error.what(); *c != '\0'; ++c) EXPECT_TRUE(*c >= ' ' && *c < 0x7f);
  }
}

TEST(PointFile, ShowsOnlyTheBeginningOfALongField) {
  try {
    parse_points("1\n" + std::string(1000, 'x'), "points.csv");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 150);
  }
}

TEST(PointFile, ParsesOnePoint) {
  EXPECT_THAT(parse_point("0, -25", "--reference"), ElementsAre(0, -25));
  EXPECT_THROW(parse_point("", "--reference"), Error);
  EXPECT_THROW(parse_point("a,b", "--reference"), Error);
  EXPECT_THROW(parse_point("1,2\n3,4", "--reference"), Error);
}

TEST(PointFile, ReadsFilesAndRejectsThoseItCannotRead) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir());
  const std::filesystem::path path = folder / "point_file_test.csv";
  std::ofstream(path) << "a,b\n1,2\n";
  EXPECT_THAT(read_points(path)[0], ElementsAre(1, 2));
  EXPECT_THROW(read_points(folder / "point_file_test_that_is_not_there.csv"), Error);
  EXPECT_THROW(read_points(folder), Error);
}

}  // namespace
}  // namespace paretofl
