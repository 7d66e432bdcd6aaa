#include "paretofl/tables/csv_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Cells = std::vector<std::string>;

/// All rows below the header.
std::vector<Cells> rows_of(std::string_view text, char separator = ',') {
  CsvReader reader(text, "a.csv", separator);
  std::vector<Cells> rows;
  std::vector<std::string_view> cells;
  while (reader.next(cells)) rows.emplace_back(cells.begin(), cells.end());
  return rows;
}

/// The message that reading the text to its end throws.
std::string refusal(std::string_view text) {
  try {
    rows_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CsvReader, ReadsAHeaderAndRows) {
  EXPECT_THAT(CsvReader("x,y\n1,2\n", "a.csv").columns(), ElementsAre("x", "y"));
  EXPECT_THAT(rows_of("x,y\n1,2\n3,\n"), ElementsAre(Cells{"1", "2"}, Cells{"3", ""}));
}

TEST(CsvReader, ALastLineNeedsNoEnd) {
  EXPECT_EQ(rows_of("x,y\n1,2"), rows_of("x,y\n1,2\n"));
  EXPECT_THAT(rows_of("x,y\n1,"), ElementsAre(Cells{"1", ""}));
  EXPECT_TRUE(rows_of("x,y").empty());
}

TEST(CsvReader, TakesCrlfAndAByteOrderMark) {
  EXPECT_EQ(rows_of("\xEF\xBB\xBFx,y\r\n1,2\r\n"), rows_of("x,y\n1,2\n"));
  EXPECT_THAT(CsvReader("\xEF\xBB\xBF\"x\"\r\n", "a.csv").columns(), ElementsAre("x"));
}

TEST(CsvReader, FieldsInQuotesHoldSeparatorsQuotesAndLineEnds) {
  EXPECT_THAT(rows_of("x,y\n\"a,b\",\"say \"\"no\"\"\"\n\"two\r\nlines\",\"\"\n"),
              ElementsAre(Cells{"a,b", "say \"no\""}, Cells{"two\r\nlines", ""}));
}

TEST(CsvReader, BlanksCountInQuotesOnly) {
  EXPECT_THAT(rows_of(" x ,y\n 1\t,\" 2 \"\n"), ElementsAre(Cells{"1", " 2 "}));
  EXPECT_THAT(CsvReader(" x ,y\n", "a.csv").columns(), ElementsAre("x", "y"));
}

TEST(CsvReader, EmptyLinesAreSkipped) { EXPECT_EQ(rows_of("\n\r\nx,y\n\n1,2\n\n\n"), rows_of("x,y\n1,2\n")); }

TEST(CsvReader, TakesOtherSeparators) {
  EXPECT_THAT(rows_of("x;y\n1,5;2\n", ';'), ElementsAre(Cells{"1,5", "2"}));
  EXPECT_THAT(rows_of("x\ty\n1\t \n", '\t'), ElementsAre(Cells{"1", ""}));
}

TEST(CsvReader, SaysWhereARowBegins) {
  CsvReader reader("x\n\n\"a\nb\"\n3\n", "a.csv");
  EXPECT_EQ(reader.where(), "a.csv:1");
  std::vector<std::string_view> cells;
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(reader.where(), "a.csv:3");
  ASSERT_TRUE(reader.next(cells));
  EXPECT_EQ(reader.where(), "a.csv:5");
}

TEST(CsvReader, RefusesWhatIsNoCsv) {
  EXPECT_EQ(refusal(""), "a.csv: expected a header with the names of the columns, found an empty file");
  EXPECT_EQ(refusal("\n\n"), "a.csv: expected a header with the names of the columns, found an empty file");
  EXPECT_EQ(refusal("x,y\n1,2\n3\n"), "a.csv:3: expected 2 fields as in the header, found 1");
  EXPECT_EQ(refusal("x,y\n1,2,3\n"), "a.csv:2: expected 2 fields as in the header, found 3");
  EXPECT_EQ(refusal("x,y\n\"a\nb\",\"open\n\n"), "a.csv:3: expected a closing quote for field 2, found the end of the file");
  EXPECT_EQ(refusal("x,y\n\"a\" b,1\n"), "a.csv:2: expected the end of the line or ',' after the quotes of field 1, found ' '");
  EXPECT_EQ(refusal("x\n5\" pipe\n"), "a.csv:2: expected quotes around the whole of field 1 and doubled ones within, found a single one");
  EXPECT_EQ(refusal("x\r1\r"), "a.csv:1: expected lines that end with LF or CRLF, found a CR alone");
  EXPECT_EQ(refusal("\xFF\xFEx"), "a.csv: expected UTF-8 text, found UTF-16");
}

TEST(CsvReader, RefusesColumnsWithoutNamesOfTheirOwn) {
  EXPECT_THAT(refusal(",x\n0,1\n"), HasSubstr("a.csv:1: expected a name for every column, found none for column 1 (pandas"));
  EXPECT_EQ(refusal("x, x\n"), "a.csv:1: expected different names of columns, found 'x' twice");
  EXPECT_EQ(refusal("caf\xE9\n"), "a.csv:1: expected names of columns in UTF-8, found 'caf\\xe9'");
}

}  // namespace
}  // namespace paretofl
