#include "paretofl/tables/feature_matrix.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "paretofl/core/error.h"
#include "paretofl/tables/target_values.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

constexpr double kMissing = NAN;

/// Six rows: a number, a constant number with a gap, and a category of three values, one of them in row 5 only.
TableData six_rows() {
  TableData table;
  table.columns = {{.numbers = {1, 3, 5, kMissing, 100, 7}, .categories = {}, .values = {}},
                   {.numbers = {2, 2, 2, 2, kMissing, 9}, .categories = {}, .values = {}},
                   {.numbers = {}, .categories = {0, 1, 0, ColumnCells::kNone, 1, 2}, .values = {"a", "b", "c"}}};
  table.clients = {"one"};
  table.client_rows = {{0, 1, 2, 3, 4, 5}};
  return table;
}

TableSchema schema_of_six() {
  TableSchema schema;
  schema.columns = {{.name = "x", .may_be_missing = true, .if_missing = "", .if_no_number = ""},
                    {.name = "k", .may_be_missing = true, .if_missing = "", .if_no_number = ""},
                    {.name = "city", .category = true, .if_missing = "", .if_no_number = ""}};
  return schema;
}

std::vector<std::string> names_of(const FeatureMatrix& matrix) {
  std::vector<std::string> names;
  for (const Feature& feature : matrix.features) names.push_back(feature.name());
  return names;
}

const std::vector<std::size_t> kAll{0, 1, 2};
const std::vector<std::uint32_t> kTrain{0, 1, 2, 3};

// Rows 0 to 3 alone decide: 1, 3 and 5 have mean 3 and variance 8 / 3.
TEST(FeatureMatrix, IsScaledByTheTrainingRowsAlone) {
  const FeatureMatrix matrix = feature_matrix(six_rows(), schema_of_six(), kAll, kTrain, true);
  EXPECT_THAT(names_of(matrix), ElementsAre("x", "k", "city=a", "city=b", "city=c"));
  const auto deviation = static_cast<float>(std::sqrt(8.0 / 3));
  EXPECT_THAT(matrix.row(0), Pointwise(FloatNear(1e-6F), {-2 / deviation, 0.0F, 1.0F, 0.0F, 0.0F}));
  EXPECT_THAT(matrix.row(1), Pointwise(FloatNear(1e-6F), {0.0F, 0.0F, 0.0F, 1.0F, 0.0F}));
  EXPECT_THAT(matrix.row(3), Pointwise(FloatNear(1e-6F), {0.0F, 0.0F, 0.0F, 0.0F, 0.0F}));
  EXPECT_THAT(matrix.row(4), Pointwise(FloatNear(1e-4F), {97 / deviation, 0.0F, 0.0F, 1.0F, 0.0F}));
  // Neither a column that never varied in training nor a category that was not there tells anything.
  EXPECT_THAT(matrix.row(5), Pointwise(FloatNear(1e-6F), {4 / deviation, 0.0F, 0.0F, 0.0F, 0.0F}));

  TableData other = six_rows();
  other.columns[0].numbers[4] = -1e20;
  other.columns[0].numbers[5] = 1e20;
  const FeatureMatrix changed = feature_matrix(other, schema_of_six(), kAll, kTrain, true);
  for (const std::uint32_t row : kTrain) EXPECT_THAT(changed.row(row), Pointwise(testing::Eq(), matrix.row(row)));
}

TEST(FeatureMatrix, WithoutScalingAGapIsTheMean) {
  const FeatureMatrix matrix = feature_matrix(six_rows(), schema_of_six(), std::vector<std::size_t>{1, 0}, kTrain, false);
  EXPECT_THAT(names_of(matrix), ElementsAre("k", "x"));
  EXPECT_THAT(matrix.row(3), ElementsAre(2, 3));
  EXPECT_THAT(matrix.row(4), ElementsAre(2, 100));
}

TEST(FeatureMatrix, KeepsNoScaleThatNothingNeeds) {
  TableSchema schema = schema_of_six();
  schema.columns[0].may_be_missing = false;
  const FeatureMatrix plain = feature_matrix(six_rows(), schema, std::vector<std::size_t>{0, 1}, kTrain, false);
  EXPECT_EQ(plain.features[0].scale.mean, 0);
  EXPECT_EQ(plain.features[0].scale.deviation, 0);
  EXPECT_EQ(plain.features[1].scale.mean, 2);
  EXPECT_EQ(feature_matrix(six_rows(), schema, std::vector<std::size_t>{0}, kTrain, true).features[0].scale.mean, 3);
}

TEST(FeatureMatrix, RefusesWhatItCannotHold) {
  TableData tiny = six_rows();
  tiny.columns[0].numbers = {0, 1e-20, 0, 0, 1e30, 0};
  EXPECT_THAT([&] { feature_matrix(tiny, schema_of_six(), kAll, kTrain, true); },
              testing::ThrowsMessage<Error>(HasSubstr("found 1e+30 in 'x'")));
  TableData many = six_rows();
  many.columns[2].values.resize(kMostCategories + 1, "v");
  EXPECT_THAT([&] { feature_matrix(many, schema_of_six(), kAll, kTrain, true); },
              testing::ThrowsMessage<Error>(HasSubstr("expected columns of at most 1000 different values, found 1001 in 'city'")));
}

TEST(FeatureMatrix, HasABoundedNumberOfNumbers) {
  EXPECT_NO_THROW(check_feature_numbers(0, kMostFeatureNumbers));
  EXPECT_NO_THROW(check_feature_numbers(std::size_t{1} << 22, std::size_t{1} << 10));
  EXPECT_THAT([] { check_feature_numbers((std::size_t{1} << 22) + 1, std::size_t{1} << 10); },
              testing::ThrowsMessage<Error>(
                  HasSubstr("expected at most 4294967296 numbers, which are rows times features, found 4194305 rows of 1024 features")));
}

TEST(TargetValues, NumbersAreScaledByTheTrainingRowsAlone) {
  const Head squared{.outputs = 1, .loss = Loss::kSquaredError};
  const TargetValues scaled = number_targets(six_rows().columns[0], squared, "x", kTrain, true);
  EXPECT_DOUBLE_EQ(scaled.mean, 3);
  EXPECT_DOUBLE_EQ(scaled.scale, std::sqrt(8.0 / 3));
  EXPECT_THAT(scaled.known, ElementsAre(1, 1, 1, 0, 1, 1));
  EXPECT_FLOAT_EQ(scaled.targets[5], static_cast<float>(4 / std::sqrt(8.0 / 3)));
  EXPECT_FALSE(scaled.all_known());
  EXPECT_THAT(number_targets(six_rows().columns[0], squared, "x", kTrain, false).targets, ElementsAre(1, 3, 5, 0, 100, 7));
  EXPECT_THAT([&] { number_targets(six_rows().columns[1], squared, "k", kTrain, true); },
              testing::ThrowsMessage<Error>(HasSubstr("found 2 everywhere in 'k'")));
}

TEST(TargetValues, ClassesAreTheValuesInOrder) {
  const ColumnCells city = six_rows().columns[2];
  const TargetValues classes = category_targets(city, {.outputs = 2, .loss = Loss::kNll}, "city");
  EXPECT_EQ(classes.head.outputs, 3U);
  EXPECT_THAT(classes.labels, ElementsAre(0, 1, 0, 0, 1, 2));
  EXPECT_THAT(classes.classes, ElementsAre("a", "b", "c"));
  EXPECT_THAT(classes.known, ElementsAre(1, 1, 1, 0, 1, 1));
  EXPECT_THAT([&] { category_targets(city, {.outputs = 1, .loss = Loss::kBinary}, "city"); },
              testing::ThrowsMessage<Error>(
                  HasSubstr("expected a target of two different values for logistic, found 3 in 'city' ('a', 'b', 'c')")));
  ColumnCells one = city;
  one.values = {"a"};
  EXPECT_THROW(category_targets(one, {.outputs = 2, .loss = Loss::kNll}, "city"), Error);
  one.values.assign(257, "a");
  EXPECT_THAT([&] { category_targets(one, {.outputs = 2, .loss = Loss::kNll}, "city"); },
              testing::ThrowsMessage<Error>(HasSubstr("2 to 256 different values")));
}

}  // namespace
}  // namespace paretofl
