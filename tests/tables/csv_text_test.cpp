#include "paretofl/tables/csv_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/tables/csv_reader.h"
#include "paretofl/tables/number_table.h"

namespace paretofl {
namespace {

TEST(CsvText, IsReadBack) {
  const std::vector<std::vector<std::string>> rows = {{"a", " b ", "c,\"d\"", "e\nf\r", "\xef\xbb\xbfg"},
                                                      {"", "", "\"", ",", "\t"},
                                                      {"x", "y", "", "", ""},
                                                      {"ä", "1e-5", "-0", "'", "\r"}};
  std::string text = csv_line(std::vector<std::string>{"1", "2 ", "3\"", "4,", "5\n"});
  for (const auto& row : rows) text += csv_line(row);
  CsvReader reader(text, "FILE");
  EXPECT_THAT(reader.columns(), testing::ElementsAre("1", "2 ", "3\"", "4,", "5\n"));
  std::vector<std::string_view> cells;
  for (const auto& row : rows) {
    ASSERT_TRUE(reader.next(cells));
    EXPECT_TRUE(std::equal(cells.begin(), cells.end(), row.begin(), row.end())) << row[0];
  }
  EXPECT_FALSE(reader.next(cells));
}

TEST(NumberTable, NumbersReadBackToTheLastBit) {
  const std::vector<std::vector<double>> values = {{0.1, -1e-300, 1e30}, {1.0 / 3, std::numeric_limits<double>::denorm_min(), -7}};
  const std::vector<std::string> columns = {"mu", "a,b"};
  std::string text = csv_line(columns);
  for (std::size_t i = 0; i < 3; ++i) text += csv_line(std::vector<std::string>{number_cell(values[0][i]), number_cell(values[1][i])});
  EXPECT_EQ(parse_number_table(text, "FILE", columns), values);
  EXPECT_EQ(number_cell(std::nan("")), "");
}

TEST(NumberTable, RefusesOtherColumnsAndCells) {
  const std::vector<std::string> columns = {"a", "b"};
  const auto expect_refused = [&](const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { parse_number_table(text, "FILE", columns); }, testing::ThrowsMessage<Error>(testing::HasSubstr(message)));
  };
  expect_refused("b,a\n1,2\n", "expected the columns a, b, found b, a");
  expect_refused("a\n1\n", "expected the columns a, b, found a");
  expect_refused("a,b\n", "FILE: expected at least one row, found none");
  expect_refused("a,b\n1,\n", "FILE:2, column 'b': expected a value");
  expect_refused("a,b\n1,x\n", "FILE:2, column 'b': expected a number, found 'x'");
  expect_refused("a,b\n1,2,3\n", "FILE:2");
}

}  // namespace
}  // namespace paretofl
