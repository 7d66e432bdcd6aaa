// Facts of problem.json by which no party could compute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paretofl/core/error.h"
#include "paretofl/tables/table_facts.h"
#include "paretofl/workloads/image_part.h"

namespace paretofl {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Problem image_problem() {
  Problem problem;
  problem.objectives = {"digit"};
  problem.facts = {
      {"channels", 3},          {"height", 8}, {"width", 8}, {"labels", {{{"classes", 10}}}}, {"mean", {0.5}}, {"std", {0.1, 0.2, 0.3}},
      {"flip_probability", 0.5}};
  return problem;
}

std::string image_refusal(const std::string& key, const json& value) {
  Problem problem = image_problem();
  problem.facts[key] = value;
  try {
    splits_of_facts(problem, "problem.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(PartFacts, OfImagesAreRefusedByTheirField) {
  EXPECT_EQ(image_refusal("mean", {0.1, 0.2, 0.3}), "none");
  EXPECT_THAT(image_refusal("mean", {0.1, 0.2}),
              HasSubstr("problem.json: facts: mean: expected 1 number or 3, one for each channel, found 2"));
  EXPECT_THAT(image_refusal("mean", {1e200}), HasSubstr("facts: mean: expected numbers of at most 1e+30 in size, found 1e+200"));
  EXPECT_THAT(image_refusal("std", json::array()), HasSubstr("facts: std: expected 1 number or 3, one for each channel, found 0"));
  for (const double std : {0.0, -1.0, 1e-310, 1e-60}) {
    EXPECT_THAT(image_refusal("std", {std}), HasSubstr("facts: std: expected positive numbers that scale pixels within float32, found "))
        << std;
  }
  EXPECT_THAT(image_refusal("flip_probability", 1.5), HasSubstr("facts: flip_probability: expected a number from 0 to 1, found 1.5"));
  EXPECT_THAT(image_refusal("flip_probability", -0.1), HasSubstr("facts: flip_probability: expected a number from 0 to 1, found -0.1"));
}

std::string table_refusal_of(const json& feature, const json& target) {
  try {
    read_table_facts({{"features", json::array({feature})}, {"targets", json::array({target})}}, "facts",
                     table_objectives({"price"}, {"squared"}));
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(PartFacts, OfTablesAreRefusedByTheirField) {
  const json feature = {{"column", "area"}, {"mean", 1}, {"deviation", 2}}, target = {{"mean", 3}, {"scale", 4}};
  const auto with = [](json object, const char* key, double value) {
    object[key] = value;
    return object;
  };
  EXPECT_EQ(table_refusal_of(feature, target), "none");
  EXPECT_EQ(table_refusal_of(with(feature, "deviation", 0), target), "none");
  EXPECT_THAT(table_refusal_of(with(feature, "mean", -1e31), target),
              HasSubstr("mean: expected a number of at most 1e+30 in size, found -1e+31"));
  EXPECT_THAT(table_refusal_of(with(feature, "deviation", 1e-310), target), HasSubstr("deviation: expected 0 or a positive number"));
  EXPECT_THAT(table_refusal_of(feature, with(target, "scale", 1e-310)), HasSubstr("scale: expected a positive number, neither denormal"));
  EXPECT_THAT(table_refusal_of(feature, with(target, "mean", 1e31)),
              HasSubstr("mean: expected a number of at most 1e+30 in size, found 1e+31"));
}

}  // namespace
}  // namespace paretofl
