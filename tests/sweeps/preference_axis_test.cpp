#include "paretofl/sweeps/preference_axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "paretofl/core/error.h"
#include "paretofl/runs/config.h"

namespace paretofl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

Settings quadratics(const std::string& strategy = "fedavg", int objectives = 2) {
  return parse_config(fmt::format("[strategy]\nname = \"{}\"\n[workload]\nname = \"quadratics\"\nobjectives = {}\n", strategy, objectives),
                      "test");
}

TEST(PreferenceAxis, SpreadsANumberOfThemEvenly) {
  const Axis axis = preference_axis("4", quadratics());
  EXPECT_EQ(axis.key, "strategy.objective_weights");
  EXPECT_THAT(axis.values, ElementsAre("[0.875, 0.125]", "[0.625, 0.375]", "[0.375, 0.625]", "[0.125, 0.875]"));
  EXPECT_THAT(preference_axis("1", quadratics("fedavg", 3)).values, ElementsAre("[0.333333, 0.333333, 0.333333]"));
}

TEST(PreferenceAxis, PrefersTheOptionOfThatName) { EXPECT_EQ(preference_axis("2", quadratics("fedcmoo_pref")).key, "strategy.preference"); }

TEST(PreferenceAxis, DrawsFromADistribution) {
  const Axis axis = preference_axis("dirichlet:5", quadratics("fedavg", 3));
  ASSERT_EQ(axis.values.size(), 5U);
  EXPECT_EQ(axis.values, preference_axis("dirichlet:5", quadratics("fedavg", 3)).values);
  for (const std::string& value : axis.values) {
    const auto weights = std::get<std::vector<double>>(parse_value(value, "preference"));
    ASSERT_EQ(weights.size(), 3U);
    EXPECT_NEAR(weights[0] + weights[1] + weights[2], 1, 1e-5);
  }
  EXPECT_THAT(preference_axis("lattice:2", quadratics()).values, ElementsAre("[1, 0]", "[0, 1]"));
}

TEST(PreferenceAxis, TakesAFileOrAList) {
  const auto file = std::filesystem::path(testing::TempDir()) / "preferences.csv";
  std::ofstream(file) << "first,second\n1,3\n0.25,0.75\n";
  EXPECT_THAT(preference_axis(file.string(), quadratics()).values, ElementsAre("[1, 3]", "[0.25, 0.75]"));
  EXPECT_THAT(preference_axis("[1,2],[2,1]", quadratics()).values, ElementsAre("[1,2]", "[2,1]"));
}

TEST(PreferenceAxis, RefusesWhatIsNone) {
  EXPECT_THAT([] { preference_axis("4", quadratics("fsmgda")); }, ThrowsMessage<Error>(HasSubstr("fsmgda, which has neither")));
  for (const char* wanted : {"0", "100001", "absent.csv", "nosuch:4", "[1,2],[1,2]", "[1,2", "lattice:0"}) {
    EXPECT_THROW(preference_axis(wanted, quadratics()), Error) << wanted;
  }
}

TEST(PreferenceAxis, RefusesVectorsThatAreNoPreferenceOfTheObjectives) {
  for (const char* wanted : {"[1,2,3]", "[0,0]", "[1,2],[1]", "[-1,2]", "1,2"}) {
    EXPECT_THAT([&] { preference_axis(wanted, quadratics()); }, ThrowsMessage<Error>(HasSubstr("--preferences: expected"))) << wanted;
  }
}

}  // namespace
}  // namespace paretofl
