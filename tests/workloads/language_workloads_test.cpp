#include "paretofl/workloads/language_workloads.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace paretofl {
namespace {

TEST(LanguageWorkloads, AreThoseThatABuildWithoutThemNames) {
  std::vector<std::string> names;
  for (const auto& entry : language_workloads()) {
    names.push_back(entry.name);
    EXPECT_NO_THROW(workloads().at(entry.name));
  }
  EXPECT_EQ(names, std::vector<std::string>(kLanguageWorkloads.begin(), kLanguageWorkloads.end()));
}

}  // namespace
}  // namespace paretofl
