#include "paretofl/tables/table_reading.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/tables/row_split.h"
#include "tests/tables/npy_bytes.h"
#include "tests/tables/written_tables.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

/// A number x, a category city, both of which may be missing, and a client unless each file is one.
TableSchema people(bool client_column) {
  TableSchema schema;
  schema.columns = {{.name = "x", .may_be_missing = true, .if_missing = "", .if_no_number = "no number"},
                    {.name = "city", .category = true, .may_be_missing = true, .if_missing = "", .if_no_number = ""}};
  if (client_column) {
    schema.client = 2;
    schema.columns.push_back({.name = "site", .category = true, .if_missing = "a site is needed", .if_no_number = ""});
  }
  return schema;
}

TableData read(const std::filesystem::path& root, const std::string& pattern, const TableSchema& schema, const TableFormat& format = {}) {
  return read_table(table_files(root, pattern), format, [&](const auto&, const auto&) { return schema; });
}

/// What a client's rows hold, in the order they have.
std::vector<std::string> lines_of(const TableData& table, std::size_t client) {
  std::vector<std::string> rows;
  for (const std::uint32_t row : table.client_rows[client]) {
    const std::int32_t city = table.columns[1].categories[row];
    rows.push_back(
        fmt::format("{} {}", table.columns[0].numbers[row], city < 0 ? "-" : table.columns[1].values[static_cast<std::size_t>(city)]));
  }
  return rows;
}

std::string reading_refusal(const std::map<std::string, std::string>& files, const std::string& pattern, const TableSchema& schema,
                            const TableFormat& format = {}) {
  const auto root = table_folder();
  write_tables(root, files);
  try {
    read(root, pattern, schema, format);
  } catch (const Error& error) {
    const std::string text = error.what();
    return text.substr(std::min(text.find(root.string()) == 0 ? root.string().size() + 1 : 0, text.size()));
  }
  return "";
}

TEST(TableReading, MergesFilesByTheNamesOfTheirColumns) {
  const auto root = table_folder();
  write_tables(root, {{"b.csv", "city,x,more\nRome,2,1\nParis,,1\n"}, {"a.csv", "x,city\n1e3,Rome\n-0.5,NA\n"}});
  const TableData table = read(root, "*.csv", people(false));
  EXPECT_THAT(table.clients, ElementsAre("a", "b"));
  EXPECT_THAT(table.columns[1].values, ElementsAre("Paris", "Rome"));
  EXPECT_THAT(lines_of(table, 0), ElementsAre("-0.5 -", "1000 Rome"));
  EXPECT_THAT(lines_of(table, 1), ElementsAre("nan Paris", "2 Rome"));
}

TEST(TableReading, OneFileWithAColumnOfClientsIsTheSameTable) {
  const auto root = table_folder();
  write_tables(root, {{"files/s10.csv", "x,city\n3,Rome\n1,Rome\n"},
                      {"files/s2.csv", "x,city\n5,Bonn\n"},
                      {"one.csv", "site,x,city\ns10,1,Rome\ns2,5,Bonn\ns10,3,Rome\n"}});
  const TableData files = read(root, "files", people(false));
  const TableData one = read(root, "one.csv", people(true));
  EXPECT_THAT(files.clients, ElementsAre("s2", "s10"));
  EXPECT_EQ(one.clients, files.clients);
  for (std::size_t client = 0; client < 2; ++client) EXPECT_EQ(lines_of(one, client), lines_of(files, client));
}

TEST(TableReading, NumbersMayBeWrittenAsIntegersOrWithAZeroFraction) {
  const auto root = table_folder();
  write_tables(root, {{"a.csv", "x,city\n+3,1\n3.0,1.0\n 4 ,01\n"}});
  const TableData table = read(root, "a.csv", people(false));
  EXPECT_THAT(table.columns[1].values, ElementsAre("01", "1"));
  EXPECT_THAT(lines_of(table, 0), ElementsAre("3 1", "3 1", "4 01"));
}

TEST(TableReading, NumbersTooSmallForADoubleAreZero) {
  const auto root = table_folder();
  write_tables(root, {{"a.csv", "x,city\n1e-400,a\n-1e-400,a\n0.1e-99999999999999999999,a\n"}});
  EXPECT_THAT(read(root, "a.csv", people(false)).columns[0].numbers, ElementsAre(0, 0, 0));
}

TableData read_labels(const std::string& cells) {
  TableSchema schema = people(false);
  schema.columns[1].label = true;
  const auto root = table_folder();
  write_tables(root, {{"a.csv", "x,city\n" + cells}});
  return read(root, "a.csv", schema);
}

TEST(TableReading, LabelsThatAreAllNumbersAreComparedAsNumbers) {
  EXPECT_THAT(read_labels("1,+1\n2,-1\n").columns[1].values, ElementsAre("-1", "+1"));
  EXPECT_THAT(read_labels("1,0.25\n2,-2\n3,0.5\n4,-10\n5,\n").columns[1].values, ElementsAre("-10", "-2", "0.25", "0.5"));
  const TableData table = read_labels("1,1e0\n2,+1\n3,01\n4,1.\n5,1\n6,-0\n7,0\n8,\n");
  EXPECT_THAT(table.columns[1].values, ElementsAre("0", "1"));
  EXPECT_THAT(table.columns[1].categories, ElementsAre(1, 1, 1, 1, 1, 0, 0, ColumnCells::kNone));
  EXPECT_THAT(read_labels("1,9007199254740993\n2,9007199254740992\n").columns[1].values,
              ElementsAre("9007199254740992", "9007199254740993"));
  EXPECT_THAT(read_labels("1,+1\n2,1\n3,one\n").columns[1].values, ElementsAre("+1", "1", "one"));
}

TEST(TableReading, NumPyFilesHaveMissingNumbersAndOneZero) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto bytes = npy_bytes<double>("<f8", "(3, 2)", {1, -0.0, -nan, 0.0, 2, -nan});
  const auto root = table_folder();
  write_tables(root, {{"a.npy", std::string(bytes.begin(), bytes.end())}});
  const TableData table = read(root, "a.npy", people(false), {.npy_columns = {"x", "city"}});
  EXPECT_THAT(table.columns[1].values, ElementsAre("0"));
  EXPECT_THAT(table.columns[1].categories, ElementsAre(0, 0, ColumnCells::kNone));
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
}

TEST(TableReading, NumPyFilesAreTheSameTable) {
  const auto root = table_folder();
  const auto bytes = npy_bytes<double>("<f8", "(2, 2)", {1.5, 7, 2, 8});
  write_tables(root, {{"a.csv", "x,city\n2,8\n1.5,7\n"}, {"a.npy", std::string(bytes.begin(), bytes.end())}});
  const TableData csv = read(root, "a.csv", people(false));
  const TableData npy = read(root, "a.npy", people(false), {.npy_columns = {"x", "city"}});
  EXPECT_EQ(lines_of(npy, 0), lines_of(csv, 0));
}

TEST(TableReading, EveryProblemNamesItsPlace) {
  const TableSchema all = [] {
    TableSchema schema = people(false);
    schema.all_columns = true;
    schema.left_out = {"id"};
    return schema;
  }();
  EXPECT_EQ(reading_refusal({{"a.csv", "x,city\n1,Rome\nfour,Rome\n"}}, "a.csv", people(false)),
            "a.csv:3, column 'x': expected a number, found 'four'; no number");
  for (const char* large : {"1e31", "-1e31", "1e400", "-1e99999999999999999999", "inf"}) {
    EXPECT_EQ(reading_refusal({{"a.csv", fmt::format("x,city\n{},Rome\n", large)}}, "a.csv", people(false)),
              fmt::format("a.csv:2, column 'x': expected a number of at most 1e30 in size, found '{}'", large));
  }
  EXPECT_EQ(reading_refusal({{"a.csv", "x,city\n-nan,Rome\n"}}, "a.csv", people(false)),
            "a.csv:2, column 'x': expected a number or an empty cell, found '-nan'");
  EXPECT_EQ(reading_refusal({{"a.csv", "x,city\n1,Rome\n2,\"Li\xE8ge\"\n"}}, "a.csv", people(false)),
            "a.csv:3, column 'city': expected text in UTF-8, found 'Li\\xe8ge'");
  EXPECT_THAT(reading_refusal({{"a.csv", "x,city\n\"1,5\",Rome\n"}}, "a.csv", people(false)), HasSubstr("found '1,5'"));
  EXPECT_EQ(reading_refusal({{"a.csv", "x,city,site\n1,Rome,\n"}}, "a.csv", people(true)),
            "a.csv:2, column 'site': expected a value, found an empty cell; a site is needed");
  EXPECT_EQ(reading_refusal({{"a.csv", "x,city\n1,Rome\n"}, {"b.csv", "x,cty\n1,Rome\n"}}, "*.csv", people(false)),
            "b.csv:1: expected a column 'city', found none; did you mean 'cty'?");
  EXPECT_EQ(
      reading_refusal({{"a.csv", "x,city\n1,Rome\n"}, {"b.csv", "x;city\n1;Rome\n"}}, "*.csv", people(false)),
      "b.csv:1: expected a column 'x', found none; the only column is 'x;city', which workload.separator = \"semicolon\" takes apart");
  EXPECT_THAT(reading_refusal({{"a.csv", "x,city,id\n1,Rome,3\n"}, {"b.csv", "x,city,age\n1,Rome,3\n"}}, "*.csv", all),
              HasSubstr("found 'age' too; workload.ignored leaves columns out"));
  EXPECT_EQ(reading_refusal({{"a.csv", "x,city\n1,Rome\n"}, {"b.csv", "x,city\n"}}, "*.csv", people(false)),
            "b.csv: expected at least one row, found none");
  EXPECT_THAT(reading_refusal({{"a.npy", "x"}}, "a.npy", people(false)),
              HasSubstr("workload.columns: expected the names of the columns of"));
}

TEST(RowSplit, HoldsOutAShareOfEveryClient) {
  const auto root = table_folder();
  std::string text = "x,city,site\n";
  for (int i = 0; i < 25; ++i) text += fmt::format("{},Rome,{}\n", i, i < 10 ? "a" : "b");
  write_tables(root, {{"a.csv", text}});
  const TableData table = read(root, "a.csv", people(true));
  const RowSplit split = draw_split(table, 0.1, 0.2, 3);
  EXPECT_EQ(split.train[0].size(), 7U);
  EXPECT_EQ(split.train[1].size(), 11U);
  EXPECT_EQ(split.test.size(), 2U + 3U);
  EXPECT_EQ(split.validation.size(), 1U + 1U);
  std::vector<std::uint32_t> all = split.all_train();
  all.insert(all.end(), split.test.begin(), split.test.end());
  all.insert(all.end(), split.validation.begin(), split.validation.end());
  std::sort(all.begin(), all.end());
  std::vector<std::uint32_t> expected(25);
  for (std::uint32_t i = 0; i < 25; ++i) expected[i] = i;
  EXPECT_EQ(all, expected);
  EXPECT_EQ(draw_split(table, 0.1, 0.2, 3).test, split.test);
  EXPECT_NE(draw_split(table, 0.1, 0.2, 4).test, split.test);
  EXPECT_THROW(check_split(draw_split(table, 0, 0, 3), table), Error);
  EXPECT_THROW(check_split(draw_split(table, 0.9, 0.9, 3), table), Error);
  EXPECT_NO_THROW(check_split(split, table));
}

TEST(RowSplit, ReadsAColumn) {
  const auto root = table_folder();
  write_tables(root, {{"a.csv", "x,city\n1,train\n2,test\n3,validation\n4,train\n"}, {"b.csv", "x,city\n1,train\n2,dev\n"}});
  const RowSplit split = named_split(read(root, "a.csv", people(false)), 1, "city");
  EXPECT_THAT(split.train, ElementsAre(UnorderedElementsAre(0, 3)));
  EXPECT_THAT(split.test, ElementsAre(1));
  EXPECT_THAT(split.validation, ElementsAre(2));
  EXPECT_THAT([&] { named_split(read(root, "b.csv", people(false)), 1, "city"); },
              testing::ThrowsMessage<Error>(HasSubstr("expected train, validation or test in column 'city', found 'dev'")));
}

}  // namespace
}  // namespace paretofl
