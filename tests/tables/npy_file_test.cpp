#include "paretofl/tables/npy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "paretofl/core/error.h"
#include "paretofl/tables/npy_reader.h"
#include "tests/tables/npy_bytes.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::VariantWith;

std::string npy_refusal(const std::vector<std::uint8_t>& bytes) {
  try {
    parse_npy(bytes, "a.npy");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(NpyFile, ReadsRowsOfNumbersOfEveryType) {
  const NpyFile doubles = parse_npy(npy_bytes<double>("<f8", "(2, 3)", {1, 2, 3, 4, 5, 6.5}), "a.npy");
  EXPECT_EQ(doubles.rows, 2U);
  EXPECT_EQ(doubles.columns, 3U);
  EXPECT_THAT(doubles.values, VariantWith<std::vector<double>>(ElementsAre(1, 2, 3, 4, 5, 6.5)));
  EXPECT_THAT(parse_npy(npy_bytes<float>("<f4", "(1, 2)", {0.5F, -1}), "a.npy").values,
              VariantWith<std::vector<double>>(ElementsAre(0.5, -1)));
  EXPECT_THAT(parse_npy(npy_bytes<std::int16_t>("<i2", "(1, 2)", {-7, 9}), "a.npy").values,
              VariantWith<std::vector<std::int64_t>>(ElementsAre(-7, 9)));
  EXPECT_THAT(parse_npy(npy_bytes<std::uint8_t>("|b1", "(2,)", {0, 1}), "a.npy").values,
              VariantWith<std::vector<std::int64_t>>(ElementsAre(0, 1)));
}

TEST(NpyFile, FortranOrderIsTheSameTable) {
  EXPECT_EQ(parse_npy(npy_bytes<double>("<f8", "(2, 3)", {1, 4, 2, 5, 3, 6}, true), "a.npy").values,
            parse_npy(npy_bytes<double>("<f8", "(2, 3)", {1, 2, 3, 4, 5, 6}), "a.npy").values);
}

TEST(NpyFile, RefusesOtherArraysAndDamage) {
  EXPECT_THAT(npy_refusal({1, 2, 3}), HasSubstr("a.npy: expected an .npy file"));
  EXPECT_THAT(npy_refusal(npy_bytes<double>("<f8", "(1, 1, 1)", {1})), HasSubstr("expected an array of two dimensions"));
  EXPECT_THAT(npy_refusal(npy_bytes<double>(">f8", "(1, 1)", {1})), HasSubstr("found the type '>f8'"));
  EXPECT_THAT(npy_refusal(npy_bytes<double>("|O", "(1, 1)", {1})), HasSubstr("found the type '|O'"));
  EXPECT_EQ(npy_refusal(npy_bytes<double>("<f8", "(2, 2)", {1, 2, 3})), "a.npy: expected 2 x 2 numbers of 8 bytes, found 24 bytes");
  EXPECT_THAT(npy_refusal(npy_bytes<double>("<f8", "(1099511627776, 1099511627776)", {1})), HasSubstr("found 8 bytes"));
  EXPECT_THAT(npy_refusal(npy_bytes<double>("<f8", "(99999999999999999999, 1)", {1})), HasSubstr("expected the extents of an array"));
  std::vector<std::uint8_t> cut = npy_bytes<double>("<f8", "(1, 1)", {1});
  cut.resize(40);
  EXPECT_THAT(npy_refusal(cut), HasSubstr("found the end of the file"));
}

TEST(NpyReader, GivesNumbersAsTextsThatReadBack) {
  NpyReader reader(parse_npy(npy_bytes<double>("<f8", "(2, 2)", {1, 0.1, -2.5e-7, 3}), "a.npy"), {"x", "y"}, "a.npy");
  std::vector<std::string_view> cells;
  ASSERT_TRUE(reader.next(cells));
  EXPECT_THAT(cells, ElementsAre("1", "0.1"));
  ASSERT_TRUE(reader.next(cells));
  EXPECT_THAT(cells, ElementsAre("-2.5e-07", "3"));
  EXPECT_EQ(reader.where(), "a.npy, row 2");
  EXPECT_FALSE(reader.next(cells));
}

/// The numbers of a column as texts.
template <class T>
std::vector<std::string> npy_texts(const std::string& type, const std::vector<T>& numbers) {
  const NpyFile file = parse_npy(npy_bytes<T>(type, fmt::format("({},)", numbers.size()), numbers), "a.npy");
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < file.rows; ++row) texts.push_back(file.text(row, 0));
  return texts;
}

TEST(NpyFile, ANumberHasOneText) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(npy_texts<double>("<f8", {nan, -nan, -0.0, 0.0}), ElementsAre("nan", "nan", "0", "0"));
  EXPECT_THAT(npy_texts<float>("<f4", {-std::numeric_limits<float>::quiet_NaN(), -0.0F}), ElementsAre("nan", "0"));
}

TEST(NpyFile, IntegersAreNotRounded) {
  EXPECT_THAT(npy_texts<std::int64_t>("<i8", {9007199254740992, 9007199254740993, -9007199254740993}),
              ElementsAre("9007199254740992", "9007199254740993", "-9007199254740993"));
  EXPECT_THAT(npy_texts<std::uint64_t>("<u8", {18446744073709551614U, 18446744073709551615U}),
              ElementsAre("18446744073709551614", "18446744073709551615"));
}

TEST(NpyReader, RefusesAnotherNumberOfColumns) {
  EXPECT_THROW(NpyReader(parse_npy(npy_bytes<double>("<f8", "(1, 2)", {1, 2}), "a.npy"), {"x"}, "a.npy"), Error);
  EXPECT_THROW(NpyReader(parse_npy(npy_bytes<double>("<f8", "(1, 2)", {1, 2}), "a.npy"), {"x", "x"}, "a.npy"), Error);
}

}  // namespace
}  // namespace paretofl
