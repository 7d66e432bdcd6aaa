#include "paretofl/core/array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/core/record.h"

namespace paretofl {
namespace {

using testing::ElementsAre;

TEST(Array, HoldsEachType) {
  const Array floats(std::vector<float>{1, 2, 3, 4}, {2, 2});
  EXPECT_THAT(floats.floats(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(floats.shape(), ElementsAre(2, 2));
  EXPECT_EQ(floats.size(), 4U);
  EXPECT_EQ(floats.bytes().size(), 16U);
  EXPECT_THAT(Array(std::vector<double>{0.5}).doubles(), ElementsAre(0.5));
  EXPECT_THAT(Array(std::vector<std::int64_t>{-7, 8}).ints(), ElementsAre(-7, 8));
  EXPECT_THAT(Array(std::vector<std::uint8_t>{255}).uints(), ElementsAre(255));
}

TEST(Array, IsOneDimensionalUnlessAShapeIsGiven) {
  EXPECT_THAT(Array(std::vector<float>(3)).shape(), ElementsAre(3));
  EXPECT_THAT(Array(std::span<const float>()).shape(), ElementsAre(0));
  EXPECT_THAT(Array().shape(), ElementsAre(0));
  EXPECT_EQ(Array().size(), 0U);
}

TEST(Array, ComparesTypeShapeAndElements) {
  const Array array(std::vector<float>{1, 2});
  EXPECT_EQ(array, Array(std::vector<float>{1, 2}));
  EXPECT_NE(array, Array(std::vector<float>{1, 3}));
  EXPECT_NE(array, Array(std::vector<float>{1, 2}, {2, 1}));
  EXPECT_NE(Array(std::span<const float>()), Array(std::span<const double>()));
}

TEST(Array, RefusesAShapeOfAnotherCount) {
  const std::vector<float> six(6);
  EXPECT_NO_THROW(Array(six, {3, 2, 1}));
  for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{{5}, {7}, {2, 2}, {6, 0}, {0}, {-6}, {-2, -3}}) {
    EXPECT_THROW(Array(six, shape), Error);
  }
}

// Products that overflow must not come out as the right count.
TEST(Array, RefusesAShapeThatOverflows) {
  constexpr std::int64_t kBig = std::int64_t{1} << 32;
  EXPECT_THROW(Array(Array::Type::kFloat32, {kBig, kBig}, {}), Error);
  EXPECT_THROW(Array(Array::Type::kUint8, {kBig, kBig, 6}, std::vector<std::byte>(6)), Error);
  EXPECT_THROW(Array(Array::Type::kUint8, {kBig + 1, kBig}, {}), Error);
  EXPECT_NO_THROW(Array(Array::Type::kUint8, {kBig, kBig, 0}, {}));
  EXPECT_NO_THROW(Array(Array::Type::kUint8, {0, kBig, kBig}, {}));
}

TEST(Array, RefusesPartOfAnElement) { EXPECT_THROW(Array(Array::Type::kFloat32, {1}, std::vector<std::byte>(5)), Error); }

TEST(Array, ATypedViewOfAnotherTypeThrows) {
  const Array floats(std::vector<float>{1});
  EXPECT_THROW(floats.doubles(), Error);
  EXPECT_THROW(floats.ints(), Error);
  EXPECT_THROW(floats.uints(), Error);
  EXPECT_THROW(Array(std::vector<double>{1}).floats(), Error);
}

TEST(Array, RefusesUnknownElementTypes) {
  EXPECT_THROW(Array(static_cast<Array::Type>(9), {1}, std::vector<std::byte>(4)), Error);
  EXPECT_EQ(Array::type_name(Array::Type::kInt64), "int64");
}

TEST(Record, GettersThrowWhereTheNameIsAbsent) {
  Record record;
  EXPECT_TRUE(record.empty());
  record.scalars["x"] = 1.5;
  record.arrays.emplace("x", Array(std::vector<float>{1, 2}));
  record.texts["x"] = "text";
  record.records["x"].scalars["y"] = 2;
  EXPECT_FALSE(record.empty());
  EXPECT_EQ(record.scalar("x"), 1.5);
  EXPECT_EQ(record.text("x"), "text");
  EXPECT_EQ(record.array("x").size(), 2U);
  EXPECT_EQ(record.record("x").scalar("y"), 2);
  EXPECT_THROW(record.scalar("y"), Error);
  EXPECT_THROW(record.text("y"), Error);
  EXPECT_THROW(record.array("y"), Error);
  EXPECT_THROW(record.record("y"), Error);
}

TEST(Record, SizedArraysCheckCountAndType) {
  Record record;
  record.arrays.emplace("floats", Array(std::vector<float>{1, 2}));
  record.arrays.emplace("doubles", Array(std::vector<double>{3}));
  EXPECT_THAT(float_array(record, "floats", 2), ElementsAre(1, 2));
  EXPECT_THAT(double_array(record, "doubles", 1), ElementsAre(3));
  EXPECT_THROW(float_array(record, "floats", 3), Error);
  EXPECT_THROW(float_array(record, "doubles", 1), Error);
  EXPECT_THROW(double_array(record, "none", 1), Error);
}

}  // namespace
}  // namespace paretofl
